// Parses files of exchanges: requests and their complete responses, in wire format.
//
//   ### W63 an array, counted        ids of the statements it proves, and a title
//   POST /tags
//   Prefer: count=exact
//
//   [{"k1":7,"k2":"x"}]
//
//   HTTP/1.1 201
//   Content-Range: */1               every header except `Server`, `Date` and `Connection`, in any order
//   Content-Length: #                the length of the body
//
//   […]                              the body; `…text…` matches any body that contains the text

export interface Exchange {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  readonly answer: Answer;
}

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Header = readonly [name: string, value: string];

export function parseExchanges(text: string): readonly Exchange[] {
  return text
    .split(/^### /mu)
    .slice(1)
    .map((block) => parseExchange(block.trimEnd()));
}

function parseExchange(block: string): Exchange {
  const [, title = '', request = '', response = ''] = /^(.*)\n([^]*?)\n\nHTTP\/1\.1 ([^]*)$/u.exec(block) ?? [];
  const sent = splitMessage(request);
  const [method = '', path = ''] = sent.first.split(/ (.*)/u);
  const answered = splitMessage(response);
  return {
    title: title.replace(/^(?:W\d+ )*/u, (ids) => `${ids}${method} ${path}: `),
    method,
    path,
    headers: sent.headers,
    body: sent.body,
    answer: {
      status: Number(answered.first),
      headers: Object.fromEntries(answered.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: answered.body ?? '',
    },
  };
}

function splitMessage(text: string) {
  const [head = '', body] = text.split(/\n\n([^]*)/u);
  const [first = '', ...lines] = head.split('\n');
  return { first, headers: lines.map(splitHeader), body };
}

function splitHeader(line: string): Header {
  const [name = '', value = ''] = line.split(/: ?(.*)/u);
  return [name, value];
}
