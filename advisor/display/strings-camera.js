// Every English word of the camera page; to translate it, translate this file.
export const strings = {
  title: "Camera",
  intro: "This device’s camera watches the table. Stand or lean it so that the whole felt is in the picture, and leave it there.",
  choose: "Camera",
  usual: "Camera",
  start: "Start the camera",
  stop: "Stop",
  preview: "What is being sent",
  figures: (width, height, rate, kilobytes) => `${width} × ${height}, ${rate} pictures a second, ${kilobytes} kB each`,
  state: {
    off: "Not sending",
    asking: "Waiting for permission…",
    connecting: "Connecting…",
    live: "Sending",
    lost: "Line lost, trying again…",
  },
  hidden: "This page was in the background: browsers then stop the camera. Keep it in front and the screen on.",
  slow: "The line is slow: pictures are sent smaller, and small cards may not be read.",
  faults: {
    NotAllowedError: "The browser may not use the camera: allow it in the address bar or in the browser’s settings, then start again.",
    NotFoundError: "This device has no camera that the browser can see: plug one in, then start again.",
    NotReadableError: "Another program holds the camera: close it (a video call?), then start again.",
    OverconstrainedError: "This camera has gone: choose another one.",
    ended: "The camera has stopped: it was unplugged, or its permission was taken away. Start again.",
    other: (words) => `The camera cannot be used (${words}).`,
  },
  insecure: {
    title: "The browser does not allow the camera here",
    why: "Browsers give a page the camera only on https addresses and on the machine itself. This page was opened over the network by plain http.",
    ways: [
      "Plug a webcam into the machine that runs Tableside and open this page there, at 127.0.0.1; or start Tableside with --source 0.",
      "Install an app that makes the phone an IP camera, and start Tableside with its address: --source rtsp://… or http://… .",
      "Put Tableside behind a proxy with an https certificate that this device trusts (docs/phone-camera.md).",
    ],
  },
};
