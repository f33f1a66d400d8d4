// A short reference of the URL grammar and of writing, by task. docs/query-language.md has the full grammar.
import type { GrammarNames } from './grammar-names.ts';

export interface GrammarSection {
  readonly title: string;
  readonly rows: readonly GrammarRow[];
}

export interface GrammarRow {
  readonly task: string;
  readonly syntax: string;
}

export function makeGrammar(names: GrammarNames): readonly GrammarSection[] {
  return [
    { title: 'Filter rows', rows: filterRows(names) },
    { title: 'Select columns', rows: selectRows(names) },
    { title: 'Embed related tables', rows: embedRows(names) },
    { title: 'Order and paginate', rows: orderRows(names) },
    { title: 'Aggregate', rows: aggregateRows(names) },
    { title: 'Call functions', rows: callRows(names) },
    { title: 'Write rows', rows: writeRows(names) },
    { title: 'Quote special characters', rows: quoteRows(names) },
  ];
}

function filterRows({ text, other, number, date, flag, array }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'equal to a value', syntax: `${text}=eq.value` },
    { task: 'equal to one of several values', syntax: `${text}=in.(one,two)` },
    { task: 'greater than; at least, less than, at most', syntax: `${number}=gt.100 · gte · lt · lte` },
    { task: 'between two dates', syntax: `${date}=gte.2010-01-01&${date}=lt.2012-01-01` },
    { task: 'containing a text, ignoring case', syntax: `${text}=ilike.*part*` },
    { task: 'matching a full-text search', syntax: `${text}=wfts(english).word` },
    { task: 'null, or not null', syntax: `${text}=is.null · is.not_null` },
    { task: 'true', syntax: `${flag}=is.true` },
    { task: 'whose array contains an item', syntax: `${array}=cs.{item}` },
    { task: 'not matching a condition', syntax: `${text}=not.eq.value` },
    { task: 'matching either of two conditions', syntax: `or=(${text}.eq.value,${other}.is.null)` },
  ];
}

function selectRows({ text, number, date, json }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'only some columns', syntax: `select=${text},${number}` },
    { task: 'with an alias', syntax: `select=alias:${text}` },
    { task: 'cast to another type', syntax: `select=${date}::text` },
    { task: 'a value inside JSON, as JSON or text', syntax: `select=${json}->key,${json}->>key` },
  ];
}

function embedRows({ many, manyColumn, one, oneColumn }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'related rows in each row', syntax: `select=*,${many}(${manyColumn})` },
    { task: 'nested to any depth', syntax: `select=*,${many}(*,related(*))` },
    { task: 'columns of the related row, without nesting', syntax: `select=*,...${one}(alias:${oneColumn})` },
    { task: 'only some related rows', syntax: `${many}.order=${manyColumn}.desc&${many}.limit=1` },
    {
      task: 'only rows with matching related rows',
      syntax: `select=*,${many}!inner(*)&${many}.${manyColumn}=not.is.null`,
    },
    { task: 'only rows without related rows', syntax: `select=*,${many}()&${many}=is.null` },
  ];
}

function orderRows({ text, number, one, oneColumn }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'largest value first', syntax: `order=${number}.desc` },
    { task: 'by two columns, nulls last', syntax: `order=${number}.desc.nullslast,${text}` },
    { task: 'by a column of a related table', syntax: `select=*,${one}(${oneColumn})&order=${one}(${oneColumn})` },
    { task: 'third page of ten rows', syntax: 'limit=10&offset=20' },
  ];
}

function aggregateRows({ text, number, many }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'number of rows', syntax: 'select=count()' },
    { task: 'number of rows per value', syntax: `select=${text},count()` },
    {
      task: 'sum, average, minimum, maximum',
      syntax: `select=${number}.sum(),${number}.avg(),${number}.min(),${number}.max()`,
    },
    { task: 'number of related rows', syntax: `select=${text},${many}(count())` },
  ];
}

function callRows({ call }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'with named arguments', syntax: `/rpc/${call}` },
    { task: 'with filters and select, as for a table', syntax: `/rpc/${call}&select=*&limit=3` },
    {
      task: 'that writes: the arguments are the body',
      syntax: `POST /rpc/${call.split('?', 1)[0] ?? ''} {"argument": "value"}`,
    },
  ];
}

function writeRows({ table, key, text }: GrammarNames): readonly GrammarRow[] {
  const body = `{${JSON.stringify(text)}: "value"}`;
  return [
    { task: 'insert a row; an array inserts several', syntax: `POST /${table} ${body}` },
    { task: 'update the rows that match', syntax: `PATCH /${table}?${key}=eq.1 ${body}` },
    { task: 'delete the rows that match', syntax: `DELETE /${table}?${key}=eq.1` },
    { task: 'insert, or update the row with the same key', syntax: 'Prefer: resolution=merge-duplicates' },
    { task: 'return the written rows', syntax: 'Prefer: return=representation' },
  ];
}

function quoteRows({ text }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'a comma, dot or parentheses in a list', syntax: `${text}=in.("one, two","a.b")` },
    { task: 'a name with a dot or parentheses', syntax: 'select="total (net)"' },
    { task: 'an & or + in a value', syntax: '%26 · %2B' },
  ];
}
