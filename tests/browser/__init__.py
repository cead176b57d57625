"""The console and the sign in a real browser: Debian's Chromium (`make browser` installs it), driven by Playwright."""
