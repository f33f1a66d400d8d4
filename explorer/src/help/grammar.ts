// A short reference of the URL grammar by task. docs/query-language.md has the full grammar.

export interface GrammarSection {
  readonly title: string;
  readonly rows: readonly { readonly want: string; readonly write: string }[];
}

export const GRAMMAR: readonly GrammarSection[] = [
  {
    title: 'Filter rows',
    rows: [
      { want: 'equal to a value', write: 'colour=eq.mint' },
      { want: 'equal to one of several values', write: 'colour=in.(mint,plum)' },
      { want: 'greater than; at least, less than, at most', write: 'value=gt.100 · gte · lt · lte' },
      { want: 'between two dates', write: 'moved_in=gte.2010-01-01&moved_in=lt.2012-01-01' },
      { want: 'containing a text, ignoring case', write: 'name=ilike.*saw*' },
      { want: 'matching a full-text search', write: 'body=wfts(english).honey' },
      { want: 'null, or not null', write: 'colour=is.null · is.not_null' },
      { want: 'true', write: 'teaches=is.true' },
      { want: 'whose array contains an item', write: 'tags=cs.{power}' },
      { want: 'not matching a condition', write: 'colour=not.eq.mint' },
      { want: 'matching either of two conditions', write: 'or=(colour.eq.mint,built.lt.1900)' },
    ],
  },
  {
    title: 'Select columns',
    rows: [
      { want: 'only some columns', write: 'select=name,value' },
      { want: 'with an alias', write: 'select=street:name' },
      { want: 'cast to another type', write: 'select=laid_out::text' },
      { want: 'a value inside JSON, as JSON or text', write: 'select=details->watts,details->>quirk' },
    ],
  },
  {
    title: 'Embed related tables',
    rows: [
      { want: 'related rows in each row', write: 'select=*,residents(name)' },
      { want: 'nested to any depth', write: 'select=*,residents(name,skills(name))' },
      { want: 'columns of the related row, without nesting', write: 'select=*,...streets(street:name)' },
      { want: 'only some related rows', write: 'tools.value=gt.100&tools.order=value.desc&tools.limit=1' },
      { want: 'only rows with matching related rows', write: 'select=*,tools!inner(name)&tools.value=gt.100' },
      { want: 'only rows without related rows', write: 'select=*,tools()&tools=is.null' },
    ],
  },
  {
    title: 'Order and paginate',
    rows: [
      { want: 'largest value first', write: 'order=value.desc' },
      { want: 'by two columns, nulls last', write: 'order=built.desc.nullslast,name' },
      { want: 'by a column of a related table', write: 'select=*,streets(name)&order=streets(name)' },
      { want: 'third page of ten rows', write: 'limit=10&offset=20' },
    ],
  },
  {
    title: 'Aggregate',
    rows: [
      { want: 'number of rows', write: 'select=count()' },
      { want: 'number of rows per value', write: 'select=colour,count()' },
      { want: 'sum, average, minimum, maximum', write: 'select=value.sum(),value.avg(),value.min(),value.max()' },
      { want: 'number of related rows', write: 'select=name,residents(count())' },
    ],
  },
  {
    title: 'Call functions',
    rows: [
      { want: 'with named arguments', write: '/rpc/tools_near?house=7' },
      { want: 'with filters and select, as for a table', write: '/rpc/tools_near?house=7&select=name&limit=3' },
    ],
  },
  {
    title: 'Quote special characters',
    rows: [
      { want: 'a comma, dot or parentheses in a list', write: 'name=in.("Ladder, 6 m","a.b")' },
      { want: 'a name with a dot or parentheses', write: 'select="total (net)"' },
      { want: 'an & or + in a value', write: '%26 · %2B' },
    ],
  },
];
