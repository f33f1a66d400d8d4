// A short reference of the URL grammar by task. docs/query-language.md has the full grammar.

export interface GrammarSection {
  readonly title: string;
  readonly rows: readonly { readonly task: string; readonly syntax: string }[];
}

export const GRAMMAR: readonly GrammarSection[] = [
  {
    title: 'Filter rows',
    rows: [
      { task: 'equal to a value', syntax: 'colour=eq.mint' },
      { task: 'equal to one of several values', syntax: 'colour=in.(mint,plum)' },
      { task: 'greater than; at least, less than, at most', syntax: 'value=gt.100 · gte · lt · lte' },
      { task: 'between two dates', syntax: 'moved_in=gte.2010-01-01&moved_in=lt.2012-01-01' },
      { task: 'containing a text, ignoring case', syntax: 'name=ilike.*saw*' },
      { task: 'matching a full-text search', syntax: 'body=wfts(english).honey' },
      { task: 'null, or not null', syntax: 'colour=is.null · is.not_null' },
      { task: 'true', syntax: 'teaches=is.true' },
      { task: 'whose array contains an item', syntax: 'tags=cs.{power}' },
      { task: 'not matching a condition', syntax: 'colour=not.eq.mint' },
      { task: 'matching either of two conditions', syntax: 'or=(colour.eq.mint,built.lt.1900)' },
    ],
  },
  {
    title: 'Select columns',
    rows: [
      { task: 'only some columns', syntax: 'select=name,value' },
      { task: 'with an alias', syntax: 'select=street:name' },
      { task: 'cast to another type', syntax: 'select=laid_out::text' },
      { task: 'a value inside JSON, as JSON or text', syntax: 'select=details->watts,details->>quirk' },
    ],
  },
  {
    title: 'Embed related tables',
    rows: [
      { task: 'related rows in each row', syntax: 'select=*,residents(name)' },
      { task: 'nested to any depth', syntax: 'select=*,residents(name,skills(name))' },
      { task: 'columns of the related row, without nesting', syntax: 'select=*,...streets(street:name)' },
      { task: 'only some related rows', syntax: 'tools.value=gt.100&tools.order=value.desc&tools.limit=1' },
      { task: 'only rows with matching related rows', syntax: 'select=*,tools!inner(name)&tools.value=gt.100' },
      { task: 'only rows without related rows', syntax: 'select=*,tools()&tools=is.null' },
    ],
  },
  {
    title: 'Order and paginate',
    rows: [
      { task: 'largest value first', syntax: 'order=value.desc' },
      { task: 'by two columns, nulls last', syntax: 'order=built.desc.nullslast,name' },
      { task: 'by a column of a related table', syntax: 'select=*,streets(name)&order=streets(name)' },
      { task: 'third page of ten rows', syntax: 'limit=10&offset=20' },
    ],
  },
  {
    title: 'Aggregate',
    rows: [
      { task: 'number of rows', syntax: 'select=count()' },
      { task: 'number of rows per value', syntax: 'select=colour,count()' },
      { task: 'sum, average, minimum, maximum', syntax: 'select=value.sum(),value.avg(),value.min(),value.max()' },
      { task: 'number of related rows', syntax: 'select=name,residents(count())' },
    ],
  },
  {
    title: 'Call functions',
    rows: [
      { task: 'with named arguments', syntax: '/rpc/tools_near?house=7' },
      { task: 'with filters and select, as for a table', syntax: '/rpc/tools_near?house=7&select=name&limit=3' },
    ],
  },
  {
    title: 'Quote special characters',
    rows: [
      { task: 'a comma, dot or parentheses in a list', syntax: 'name=in.("Ladder, 6 m","a.b")' },
      { task: 'a name with a dot or parentheses', syntax: 'select="total (net)"' },
      { task: 'an & or + in a value', syntax: '%26 · %2B' },
    ],
  },
];
