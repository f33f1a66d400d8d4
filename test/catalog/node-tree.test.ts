import { expect, test } from 'vitest';
import { parseResultOrigins } from '../../src/catalog/view-columns.ts';

const entry = (expression: string, fields: string): string => `{TARGETENTRY :expr ${expression} ${fields}}`;
const query = (before: string, entries: string, after = ''): string =>
  `({QUERY :commandType 1 ${before}:targetList (${entries}) :limitCount <> ${after}})`;

test('finds the origins of result columns, but none for expressions, junk and system columns', () => {
  const tree = query(
    '',
    [
      entry(
        '{VAR :varno 1}',
        ':resno 1 :resname id :ressortgroupref 0 :resorigtbl 4294967295 :resorigcol 7 :resjunk false',
      ),
      entry('{CONST :constvalue 4 [ 1 0 ]}', ':resno 2 :resname one :resorigtbl 0 :resorigcol 0 :resjunk false'),
      entry('{VAR :varno 1}', ':resno 3 :resname ctid :resorigtbl 12 :resorigcol -1 :resjunk false'),
      entry('{VAR :varno 1}', ':resno 4 :resname <> :resorigtbl 12 :resorigcol 2 :resjunk true'),
    ].join(' '),
  );
  expect(parseResultOrigins(tree)).toEqual([{ column: 1, originTable: '4294967295', originColumn: 7 }]);
});

test('ignores target lists of sub-queries before, inside and after the main one', () => {
  const below = entry('{VAR}', ':resno 1 :resname x :resorigtbl 99 :resorigcol 9 :resjunk false');
  const nested = `{QUERY :targetList (${below})}`;
  const own = entry(`{SUBLINK :subselect ${nested}}`, ':resno 1 :resname y :resorigtbl 0 :resorigcol 0 :resjunk false');
  const tree = query(
    `:rtable ({RTE :subquery ${nested}}) `,
    own,
    `:havingQual {X :list (${nested})} :other (${below})`,
  );
  expect(parseResultOrigins(tree)).toEqual([]);
});

test('does not mistake escaped characters in names for structure', () => {
  const name = String.raw`\(\{\)\}\\\ :resorigtbl\ 5\ :resorigcol\ 5`;
  const own = entry('{VAR}', `:resno 1 :resname ${name} :resorigtbl 12 :resorigcol 3 :resjunk false`);
  expect(parseResultOrigins(query(`:alias ${name} `, own))).toEqual([
    { column: 1, originTable: '12', originColumn: 3 },
  ]);
});

test('finds no origin in text of any other form', () => {
  expect(['', '<>', '({QUERY :targetList <>})', ')}({', '\\'].map(parseResultOrigins)).toEqual([[], [], [], [], []]);
});
