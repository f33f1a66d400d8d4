// Preloaded into the server: shifts the wall clock by the milliseconds in a file.
const { readFileSync, watchFile } = require('node:fs');

const file = process.env.TEST_CLOCK_FILE;
const realNow = Date.now.bind(Date);
let ahead = 0;
watchFile(file, { interval: 20 }, () => {
  ahead = Number(readFileSync(file, 'utf8'));
});
Date.now = () => realNow() + ahead;
