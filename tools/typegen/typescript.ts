// Renders pieces of TypeScript. Nested pieces are indented as a whole, because literals contain no line breaks.

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly comment?: string | undefined;
}

const EMPTY_OBJECT = '{ [_ in never]: never }';

/** Maximum length of text on one line, without indentation. */
const LINE_LENGTH = 80;

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

export function renderLiteral(text: string): string {
  return JSON.stringify(text);
}

export function renderObject(members: readonly Member[]): string {
  if (members.length === 0) return EMPTY_OBJECT;
  return `{\n${members.map((member) => indent(renderMember(member))).join('\n')}\n}`;
}

/** Renders an object value, whose members contain values instead of types. */
export function renderConstant(members: readonly Pick<Member, 'name' | 'type'>[]): string {
  if (members.length === 0) return '{}';
  // A plain `__proto__` key would set the prototype of the object.
  const lines = members.map(
    ({ name, type }) => `${name === '__proto__' ? '["__proto__"]' : renderKey(name)}: ${type},`,
  );
  return `{\n${lines.map(indent).join('\n')}\n}`;
}

export function renderLiteralList(texts: readonly string[]): string {
  const literals = texts.map(renderLiteral);
  const line = literals.join(', ');
  return line.length <= LINE_LENGTH ? `[${line}]` : `[\n${literals.map((text) => indent(`${text},\n`)).join('')}]`;
}

function renderKey(name: string): string {
  return PLAIN_NAME.test(name) ? name : renderLiteral(name);
}

function renderMember({ name, type, isOptional, comment }: Member): string {
  const key = renderKey(name);
  const space = type.startsWith('\n') ? '' : ' ';
  return `${renderComment(comment)}${key}${isOptional === true ? '?' : ''}:${space}${type};`;
}

function renderComment(comment: string | undefined): string {
  if (comment === undefined || comment.trim() === '') return '';
  const lines = comment
    .trim()
    .replaceAll('*/', String.raw`*\/`)
    .split(/\s*[\r\n\u2028\u2029]\s*/u);
  return lines.length === 1
    ? `/** ${lines.join('')} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** Renders a union on one line, or each member on a line of its own, starting with a line break. */
export function renderUnion(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return 'never';
  const line = distinct.join(' | ');
  if (distinct.length === 1 || (line.length <= LINE_LENGTH && !line.includes('\n'))) return line;
  return `\n${distinct.map((type) => indent(`| ${indentRest(type)}`)).join('\n')}`;
}

export function renderTuple(types: readonly string[]): string {
  if (types.length === 0) return '[]';
  return `[\n${types.map((type) => `${indent(type)},\n`).join('')}]`;
}

export function renderArray(element: string): string {
  return /^[\w["\].]+$/.test(element) ? `${element}[]` : `Array<${element}>`;
}

export function allowNull(type: string): string {
  return type === 'unknown' || type === 'undefined' ? type : `${type} | null`;
}

function indent(text: string): string {
  return `  ${indentRest(text)}`;
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
