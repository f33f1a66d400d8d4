// Prepares the pages for VitePress: docs/*.md with links that work on the site. The tables of the README are the groups of
// the sidebar.

const SECTION = /^## Documentation\n([\s\S]*?)(?=^## )/mu;
const LINK = /\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)/gu;
const FENCE = /^( *)(`{3,})[\s\S]*?^\1\2$/gmu;
/** Instructions for the tests of the pages. */
const COMMENT = /^ *<!--[\s\S]*?-->\n/gmu;

/** Returns the groups of pages in the README: `{ text, pages: [{ name, title }] }`. */
export function readGroups(readme) {
  const [, section = ''] = SECTION.exec(readme) ?? [];
  const tables = section.split(/\n\n+/u).filter((part) => part.startsWith('|'));
  return tables.map((table) => {
    const [, text] = /^\| ([^|]+) \|/u.exec(table) ?? [];
    const rows = [...table.matchAll(/^\| \[([^\]]+)\]\(docs\/([\w-]+)\.md\) \|/gmu)];
    return { text, pages: rows.map(([, title, name]) => ({ name, title })) };
  });
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
