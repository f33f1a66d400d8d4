// Prepares the pages for VitePress: docs/*.md with links that work on the site, and a start page with the tables of the
// README, whose headings also are the groups of the sidebar.

const SECTION = /^## Documentation\n([\s\S]*?)(?=^## )/mu;
const LINK = /\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)/gu;
const FENCE = /^( *)(`{3,})[\s\S]*?^\1\2$/gmu;
/** Instructions for the tests of the pages. */
const COMMENT = /^ *<!--[\s\S]*?-->\n/gmu;

/** Returns the groups of pages in the README: `{ text, pages: [{ name, title }] }`. */
export function readGroups(readme) {
  return readTables(readme).map((table) => {
    const [, text] = /^\| ([^|]+) \|/u.exec(table) ?? [];
    const rows = [...table.matchAll(/^\| \[([^\]]+)\]\(docs\/([\w-]+)\.md\) \|/gmu)];
    return { text, pages: rows.map(([, title, name]) => ({ name, title })) };
  });
}

function readTables(readme) {
  const [, section = ''] = SECTION.exec(readme) ?? [];
  return section.trim().split(/\n\n+/u);
}

/** @param titles by name of the page, without its ending */
export function stagePage(markdown, titles) {
  let staged = '';
  let start = 0;
  for (const { index, 0: fence } of markdown.matchAll(FENCE)) {
    staged += stageProse(markdown.slice(start, index), titles) + fence;
    start = index + fence.length;
  }
  return staged + stageProse(markdown.slice(start), titles);
}

function stageProse(prose, titles) {
  return prose.replaceAll(COMMENT, '').replaceAll(LINK, (link, text, target) => {
    if (/^(?:[a-z]+:|#|images\/)/u.test(target)) return link;
    const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/u.exec(target) ?? [];
    const title = titles.get(name);
    // Only the pages for users are on the site.
    if (title === undefined) return text;
    return `[${text === `${name}.md` ? title : text}](${name}.md${anchor})`;
  });
}

/** Returns the start page: the tables of the README, without the rows of pages that are not on the site. */
export function stageIndex(readme, titles) {
  const tables = readTables(readme).map((table) => {
    const [heading, ruler, ...rows] = table.replaceAll('](docs/', '](').split('\n');
    const kept = rows.filter((row) => titles.has(/^\| \[[^\]]+\]\(([\w-]+)\.md\)/u.exec(row)?.[1]));
    const [, text] = /^\| ([^|]+) \|/u.exec(heading) ?? [];
    return [`## ${text}\n`, '| Page | Contents |', ruler, ...kept.map((row) => stageProse(row, titles)), ''].join('\n');
  });
  return `# Rowhouse documentation\n\nRowhouse turns a PostgreSQL schema into a REST API.\n\n${tables.join('\n')}`;
}
