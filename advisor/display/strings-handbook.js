// The dealer's handbook in English: chapters of sections, each with steps and the name of its drawing.

export const handbook = {
  name: "Tableside",
  title: "The dealer’s handbook",
  step: (number) => `Step ${number}`,
  drawing: (title) => `Drawing: ${title}`,
  chapters: [
    {
      id: "cards",
      title: "Cards",
      intro: "What every game at this table begins with, whichever cards you own.",
      sections: [
        {
          title: "Check the packs",
          drawing: "ribbon",
          steps: [
            "Spread each pack face up in a ribbon, so that every corner shows.",
            "Look for cards that are missing, double, bent or marked. The camera can look for you: tableside deck check.",
            "Take the jokers out. Turn every card face down the same way.",
          ],
        },
        {
          title: "Shuffle several packs",
          drawing: "piles",
          steps: [
            "Lay the cut card in the middle and cut the cards into four piles of about one height around it.",
            "Take half a pack from each of two neighbouring piles, riffle the two together, and put them on the cut card.",
            "Go round: first and second pile, second and third, third and fourth, fourth and first, until all piles are gone.",
            "Square the stack. With one or two packs: riffle, riffle, strip, riffle.",
          ],
        },
        {
          title: "Cut and burn",
          drawing: "cut",
          steps: [
            "Hold the stack out to a player with its backs up. The player puts the cut card in, ten cards or more from either end.",
            "Bring what lies in front of the cut card to the back.",
            "Put the cut card in again about one pack from the end: when it comes out, finish the round and shuffle.",
            "Burn one card: take it off unseen and lay it with the discards.",
          ],
        },
        {
          title: "Deal so that the camera can read",
          drawing: "stairstep",
          steps: [
            "Lay each card of a hand a little up and to the side of the last, so that its corner shows.",
            "Leave a card’s width between two hands.",
            "Take your hand away before the next card: a card is read once it rests.",
            "Where the display is not sure of a card it says so. One tap puts it right.",
          ],
        },
      ],
    },
    {
      id: "blackjack",
      title: "Blackjack",
      intro: "The order of a round. The house rules in force are at the foot of the display.",
      sections: [
        {
          title: "Bets",
          drawing: "bet",
          steps: [
            "Wait until every bet lies in its circle: whole units, within the limits, the highest chips at the bottom.",
            "No odd chip hidden between two of one colour. Correct a bet only before the first card.",
            "Sweep a hand over the layout: no more bets.",
          ],
        },
        {
          title: "The deal",
          drawing: "order",
          steps: [
            "From your left to your right, one card to each bet, face up; then one to yourself.",
            "Once more round. Of your own two cards one lies face up and one face down.",
            "At a table without a hole card your second card waits until the players are done.",
          ],
        },
        {
          title: "Ace or ten showing",
          drawing: "peek",
          steps: [
            "With an ace: offer insurance, check that each is at most half the bet, close it. Then peek.",
            "With a ten: peek at once.",
            "With a blackjack: turn it, collect what loses, pay the insurance, clear.",
          ],
        },
        {
          title: "The players’ turns",
          drawing: "turns",
          steps: [
            "From your left to your right. A blackjack is paid on its turn and its cards are cleared.",
            "Hit: the card goes on the hand. Bust: the chips, then the cards, at once.",
            "Double: the player adds to the bet, and the one card lies at a right angle.",
            "Split: draw the two cards apart, a second bet beside the first, and play the hand on your left first.",
            "The one card on each split ace lies at forty-five degrees where it gets no more.",
          ],
        },
        {
          title: "Your hand and the settlement",
          drawing: "settle",
          steps: [
            "Turn the hole card and draw as the display says. If every seat has bust, only turn it.",
            "Settle from your right to your left: collect from those that lose, pay those that win, knock on a push.",
            "Clear the cards from your right to your left, so that a hand can be set up again if somebody asks.",
          ],
        },
      ],
    },
    {
      id: "punto-banco",
      title: "Punto banco",
      intro: "Nobody decides anything: the display says every card and who wins.",
      sections: [
        {
          title: "The coup",
          drawing: "coup",
          steps: [
            "Take the bets on player, banker and tie; then no more.",
            "Deal player, banker, player, banker. Lay the player’s cards on your right, the banker’s on your left.",
            "A third card lies across the two. Call both totals and who wins.",
          ],
        },
        {
          title: "Paying the coup",
          drawing: "sizing",
          steps: [
            "Collect what loses first, then pay, the nearest bet last.",
            "On a tie, bets on player and banker stay where they are: knock.",
            "Commission on the banker is marked seat by seat; collect it at the end of the shoe or when a player leaves.",
          ],
        },
      ],
    },
    {
      id: "pontoon",
      title: "Pontoon",
      intro: "The home game: the banker is one of you, and most cards lie face down.",
      sections: [
        {
          title: "The deal",
          drawing: "pontoon",
          steps: [
            "One card face down to everyone, the banker last. All but the banker look at theirs and stake.",
            "A second card to each. The banker does not look.",
            "Anyone with a pontoon shows it.",
          ],
        },
        {
          title: "Stick, buy, twist",
          drawing: "buy",
          steps: [
            "Buy: a further stake, and the card comes face down.",
            "Twist: no stake, and the card comes face up; after that no more may be bought.",
            "Bust: the hand is shown, its stakes go to the banker, its cards to the bottom of the pack.",
            "Only what lies face up is read. For private advice take a picture of your own hand with your phone.",
          ],
        },
        {
          title: "The banker",
          drawing: "banker",
          steps: [
            "Turn up both cards; draw or stay as you like. The display says what is best, from what everybody can see.",
            "Pay or collect each hand in order.",
            "The pack is shuffled only after a deal with a pontoon. The bank passes as your house rules say.",
          ],
        },
      ],
    },
    {
      id: "chips",
      title: "Chips",
      intro: "Cut, size and pay so that everybody, the camera too, can see what is paid.",
      sections: [
        {
          title: "Pay one colour",
          drawing: "sizing",
          steps: [
            "Even money in one colour: put your stack beside the bet and run a finger over both until they are level.",
            "Insurance: size into it twice.",
            "A push: knock on the felt. Nothing moves.",
            "A surrender: half the bet goes back to the player.",
          ],
        },
        {
          title: "Pay several colours",
          drawing: "colours",
          steps: [
            "Part the bet by colour, the highest nearest to you.",
            "Pay colour by colour; stack what you pay with the highest at the bottom.",
          ],
        },
        {
          title: "Pay a blackjack",
          drawing: "bridge",
          steps: [
            "An even number of one colour: lay half as many again across the bet and what you pay, as a bridge.",
            "Any other bet: work the amount out (the display does), splash it, then heel it beside the bet.",
          ],
        },
        {
          title: "Colour up and make change",
          drawing: "change",
          steps: [
            "Offer to colour up when somebody leaves: twenty of one colour become fewer of a higher one.",
            "What comes in lies left of the line, what goes out lies right of it. Say the amount aloud.",
            "Both sides must come to the same before anything moves.",
          ],
        },
        {
          title: "A wrong amount",
          drawing: "wrong",
          steps: [
            "Never leave it half put right. Draw everything you paid back before the rack.",
            "Count it out again, and pay again from the start.",
          ],
        },
      ],
    },
  ],
};
