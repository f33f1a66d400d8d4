// Checks the JSON Schemas inside an OpenAPI 3.1 or 3.2 document strictly, because the official schema does not: only known
// keywords with valid values, and only defaults and enums that match their own schema.

type JsonObject = Readonly<Record<string, unknown>>;

const TYPES = new Set(['integer', 'number', 'boolean', 'string', 'array', 'object', 'null']);

const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $ref: isText,
  description: isText,
  format: isText,
  pattern: isText,
  type: (value) => asList(value).every((type) => TYPES.has(String(type))) && isDistinct(asList(value)),
  enum: (value) => Array.isArray(value) && value.length > 0 && isDistinct(value),
  required: (value) => Array.isArray(value) && value.length > 0 && value.every(isText) && isDistinct(value),
  maxLength: (value) => Number.isInteger(value) && Number(value) >= 0,
  minimum: (value) => typeof value === 'number',
  readOnly: (value) => value === true,
  properties: isObject,
  items: isObject,
  anyOf: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
  default: (value) => value !== undefined,
};

/** Lists the problems of every schema in the document, each with its path. */
export function checkSchemas(document: unknown): readonly string[] {
  return listSchemas(document, '').flatMap(([path, schema]) => checkSchema(schema, path));
}

/** Finds schemas under `schema` and `itemSchema` of parameters, headers and media types, and in `components.schemas`. */
function listSchemas(value: unknown, path: string): readonly (readonly [path: string, schema: JsonObject])[] {
  if (!isObject(value))
    return Array.isArray(value) ? value.flatMap((item, n) => listSchemas(item, `${path}/${n}`)) : [];
  return Object.entries(value).flatMap(([key, member]) => {
    const here = `${path}/${key}`;
    if ((key === 'schema' || key === 'itemSchema') && isObject(member)) return [[here, member] as const];
    if (here === '/components/schemas' && isObject(member)) {
      return Object.entries(member).map(([name, schema]) => [`${here}/${name}`, schema as JsonObject] as const);
    }
    return listSchemas(member, here);
  });
}

function checkSchema(schema: JsonObject, path: string): readonly string[] {
  const problems = Object.entries(schema).flatMap(([keyword, value]) => {
    const isRight = KEYWORDS[keyword];
    return isRight?.(value) === true ? [] : [`${path}: ${keyword} ${JSON.stringify(value)}`];
  });
  if ('default' in schema && !accepts(schema, schema['default'])) problems.push(`${path}: default of another type`);
  const labels = schema['enum'];
  if (Array.isArray(labels) && !labels.every((label) => accepts({ type: schema['type'] }, label))) {
    problems.push(`${path}: enum of another type`);
  }
  const { properties, required, items, anyOf } = schema as Record<string, unknown>;
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (Array.isArray(required) && !required.every((name) => names.includes(String(name)))) {
    problems.push(`${path}: required names no property`);
  }
  const inner = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...asList(anyOf ?? []),
    ...asList(items ?? []),
  ];
  return [...problems, ...inner.flatMap((part, n) => checkSchema(part as JsonObject, `${path}/${n}`))];
}

function accepts({ type, enum: labels }: JsonObject, value: unknown): boolean {
  if (Array.isArray(labels) && !labels.includes(value)) return false;
  return type === undefined || asList(type).some((name) => isOfType(value, String(name)));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'object' ? isObject(value) : typeof value === type;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isDistinct(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length;
}
