// The grammar of URLs in short, by what one wants; the whole of it is in docs/query-language.md.

export interface GrammarSection {
  readonly title: string;
  readonly rows: readonly { readonly want: string; readonly write: string }[];
}

export const GRAMMAR: readonly GrammarSection[] = [
  {
    title: 'Choose rows',
    rows: [
      { want: 'that have a value', write: 'colour=eq.mint' },
      { want: 'that have one of several', write: 'colour=in.(mint,plum)' },
      { want: 'above, from, below, up to', write: 'value=gt.100 · gte · lt · lte' },
      { want: 'between two dates', write: 'moved_in=gte.2010-01-01&moved_in=lt.2012-01-01' },
      { want: 'with a word in a text, in any case', write: 'name=ilike.*saw*' },
      { want: 'by the words of a text', write: 'body=wfts(english).honey' },
      { want: 'where something is not known, or is', write: 'colour=is.null · is.not_null' },
      { want: 'that are true', write: 'teaches=is.true' },
      { want: 'whose list has an item', write: 'tags=cs.{power}' },
      { want: 'for which it does not hold', write: 'colour=not.eq.mint' },
      { want: 'for which one of two things holds', write: 'or=(colour.eq.mint,built.lt.1900)' },
    ],
  },
  {
    title: 'Choose columns',
    rows: [
      { want: 'some of them', write: 'select=name,value' },
      { want: 'under another name', write: 'select=street:name' },
      { want: 'as another type', write: 'select=laid_out::text' },
      { want: 'inside of JSON, as JSON or as text', write: 'select=details->watts,details->>quirk' },
    ],
  },
  {
    title: 'Bring in related tables',
    rows: [
      { want: 'each row with what belongs to it', write: 'select=*,residents(name)' },
      { want: 'to any depth', write: 'select=*,residents(name,skills(name))' },
      { want: 'its columns beside the others', write: 'select=*,...streets(street:name)' },
      { want: 'only some of what belongs to it', write: 'tools.value=gt.100&tools.order=value.desc&tools.limit=1' },
      { want: 'only rows that have such', write: 'select=*,tools!inner(name)&tools.value=gt.100' },
      { want: 'only rows that have none', write: 'select=*,tools()&tools=is.null' },
    ],
  },
  {
    title: 'Order and pages',
    rows: [
      { want: 'the highest first', write: 'order=value.desc' },
      { want: 'by two columns, unknown ones last', write: 'order=built.desc.nullslast,name' },
      { want: 'by a column of a related table', write: 'select=*,streets(name)&order=streets(name)' },
      { want: 'the third page of ten', write: 'limit=10&offset=20' },
    ],
  },
  {
    title: 'Count and sum',
    rows: [
      { want: 'how many rows', write: 'select=count()' },
      { want: 'how many of each', write: 'select=colour,count()' },
      { want: 'sum, average, smallest, greatest', write: 'select=value.sum(),value.avg(),value.min(),value.max()' },
      { want: 'how many belong to each row', write: 'select=name,residents(count())' },
    ],
  },
  {
    title: 'Call functions',
    rows: [
      { want: 'with arguments by their names', write: '/rpc/tools_near?house=7' },
      { want: 'and go on as with a table', write: '/rpc/tools_near?house=7&select=name&limit=3' },
    ],
  },
  {
    title: 'When names or values are special',
    rows: [
      { want: 'a comma, a dot or brackets in a list', write: 'name=in.("Ladder, 6 m","a.b")' },
      { want: 'a name with a dot or brackets', write: 'select="total (net)"' },
      { want: 'an & or a + in a value', write: '%26 · %2B' },
    ],
  },
];
