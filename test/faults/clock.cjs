// Loaded before the server: the clock on the wall is as many milliseconds ahead as a file says.
const { readFileSync, watchFile } = require('node:fs');

const file = process.env.TEST_CLOCK_FILE;
const realNow = Date.now.bind(Date);
let ahead = 0;
watchFile(file, { interval: 20 }, () => {
  ahead = Number(readFileSync(file, 'utf8'));
});
Date.now = () => realNow() + ahead;
