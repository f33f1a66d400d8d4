// Validates a description with the official schemas, and checks rules that they cannot express.
import { Validator } from '@seriousme/openapi-schema-validator';
import { checkSchemas } from './check-schemas.ts';
import { at, type Json } from './describe.ts';

/** Returns the problems; empty for a valid document, whose references all resolve. */
export async function validate(document: Json): Promise<readonly unknown[]> {
  const result = await new Validator().validate(structuredClone(document));
  return result.valid ? [] : [result.errors];
}

/** Returns the problems of a 3.1 or 3.2 document; empty if there are none. */
export async function validate3(document: Json): Promise<readonly unknown[]> {
  return [
    ...(await validate(document)),
    ...checkSchemas(document),
    ...checkOperations(document),
    ...checkKeys(document),
  ];
}

function checkOperations(document: Json): readonly string[] {
  const operations = Object.entries(document['paths'] as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  const tags = (document['tags'] as Json[]).map(({ name }) => name);
  const seen = new Set<unknown>();
  const problems = new Set(tags).size === tags.length ? [] : ['two tags of one name'];
  for (const [where, operation] of operations) {
    const { operationId, parameters, tags: own } = operation as Json;
    if (seen.has(operationId)) problems.push(`${where}: operationId again`);
    seen.add(operationId);
    const names = (parameters as Json[]).map((parameter) => nameOf(parameter, document));
    if (new Set(names).size < names.length) problems.push(`${where}: two parameters of one name`);
    if (!(own as string[]).every((tag) => tags.includes(tag))) problems.push(`${where}: undeclared tag`);
    if (/[{}]/u.test(where)) problems.push(`${where}: a path template`);
  }
  return problems;
}

function nameOf(parameter: Json, document: Json): string {
  const { $ref } = parameter;
  const { in: place, name } = (
    typeof $ref === 'string' ? at(document, 'components', 'parameters', $ref.split('/').at(-1) ?? '') : parameter
  ) as Json;
  return `${String(place)} ${String(name)}`;
}

/** https://spec.openapis.org/oas/v3.1.0#components-object */
function checkKeys({ components }: Json): readonly string[] {
  const keys = Object.values(components as Json).flatMap((section) => Object.keys(section as Json));
  return keys.filter((key) => !/^[a-zA-Z0-9._-]+$/u.test(key));
}
