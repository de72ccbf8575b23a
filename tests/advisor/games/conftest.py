"""Its being here lets the tests of each game import `table_scenes` from this folder."""
