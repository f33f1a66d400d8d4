// A version and a step, or the version that is wanted → the next version.

/** @param step `major`, `minor`, `patch`, or a version that is newer than the current one */
export function findNextVersion(current, step) {
  const numbers = parse(current);
  const at = ['major', 'minor', 'patch'].indexOf(step);
  if (at >= 0) return numbers.map((value, index) => (index < at ? value : index === at ? value + 1 : 0)).join('.');
  const isNewer = compare(parse(step), numbers) > 0;
  if (!isNewer) throw new Error(`${step} is not newer than ${current}.`);
  return step;
}

function parse(version) {
  const match = /^(\d+)\.(\d+)\.(\d+)$/u.exec(version);
  if (match === null)
    throw new Error(`"${version}" is no version. Write major, minor, patch, or a version such as 1.2.3.`);
  return match.slice(1).map(Number);
}

function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
