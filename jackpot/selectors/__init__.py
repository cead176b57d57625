"""Reading the jackpot: with `jackpot.services`, the app's front door."""
