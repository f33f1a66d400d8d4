// A release → the new texts of the files that name its version, and its section of the changelog.

const UNRELEASED = '## Unreleased\n';

/** @param read the tracked files of a pattern, as `{ file, text }` */
export function listEdits(release, read) {
  const { section, ...changelog } = editChangelog(release, read('CHANGELOG.md'));
  const edits = [
    changelog,
    ...read('package*.json').map((entry) => editManifest(release, entry)),
    ...read('src/contract/product.ts').map((entry) => editProduct(release, entry)),
    ...read('docs/*.md').map((entry) => editPage(release, entry)),
  ];
  return { section, edits: edits.filter(({ isChanged }) => isChanged).map(({ file, text }) => ({ file, text })) };
}

/** The changes leave "Unreleased", which stays for the next ones. */
function editChangelog({ next, date }, [entry]) {
  const start = entry?.text.indexOf(UNRELEASED) ?? -1;
  if (start < 0) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const { file, text } = entry;
  const body = start + UNRELEASED.length;
  const end = text.indexOf('\n## ', body);
  const changes = text.slice(body, end < 0 ? undefined : end).trim();
  if (changes === '') throw new Error('CHANGELOG.md lists no unreleased changes.');
  const section = `## ${next} - ${date}\n\n${changes}`;
  const rest = end < 0 ? '\n' : `\n${text.slice(end)}`;
  return { file, section, text: `${text.slice(0, body)}\n${section}${rest}`, isChanged: true };
}

/** The first version in the manifest, and both of them in the lockfile, are the package's own. */
function editManifest({ current, next }, entry) {
  let left = entry.file.endsWith('-lock.json') ? 2 : 1;
  return change(entry, (text) =>
    text.replaceAll(`"version": "${current}"`, (found) => (left-- > 0 ? `"version": "${next}"` : found)),
  );
}

/** The version that the server tells has two parts. */
function editProduct({ next }, entry) {
  const version = next.split('.').slice(0, 2).join('.');
  return change(entry, (text) => text.replace(/(?<=version: ')[\d.]+(?=')/u, version));
}

/** Commands that install a packed file name it. */
function editPage({ name, current, next }, entry) {
  return change(entry, (text) => text.replaceAll(`${name}-${current}.tgz`, `${name}-${next}.tgz`));
}

function change({ file, text }, edit) {
  const changed = edit(text);
  return { file, text: changed, isChanged: changed !== text };
}
