// Preloaded into the server: resolves `database.test` to the address in a file, and other names as usual.
const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const lookup = dns.lookup;
const answer = (options, callback) => {
  const address = readFileSync(process.env.TEST_HOSTS_FILE, 'utf8').trim();
  if (options.all) callback(null, [{ address, family: 4 }]);
  else callback(null, address, 4);
};
dns.lookup = (name, options, callback) => {
  if (name !== 'database.test') return lookup(name, options, callback);
  return typeof options === 'function' ? answer({}, options) : answer(options ?? {}, callback);
};
