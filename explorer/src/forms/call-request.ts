// Builds the request that calls a function: GET, whose URL can be shared, or POST.
import type { DescribedFunction, DescribedParameter } from '../../../src/contract/schema-document.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { formatArray } from '../builder/array-literal.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import { setArgument } from '../url-state/edit-arguments.ts';
import { createModel, type QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { type FieldValues, valueOf } from './field-value.ts';
import type { Problems } from './form-fields.ts';
import { type FormInput, formInputFor } from './form-input.ts';
import { toJson, wrap } from './value-json.ts';

/** Returns whether the function has a single unnamed parameter, which takes the whole body. */
function takesBody({ parameters }: DescribedFunction): boolean {
  return parameters.length === 1 && parameters[0]?.name === '';
}

export function inputOf({ type, isVariadic }: DescribedParameter): FormInput {
  return isVariadic ? { kind: 'lines' } : formInputFor(type);
}

/** Returns whether a call is a place in the explorer, so that navigating there calls the function. */
export function isCalledByGet(one: DescribedFunction): boolean {
  return one.isReadOnly && !takesBody(one);
}

/** @param model the current request to this function, whose other parameters are kept */
export function callByGet(
  one: DescribedFunction,
  values: FieldValues,
  model: QueryModel = createModel({ kind: 'function', name: one.name }),
): Result<QueryModel, Problems> {
  const problems = findProblems(one, values);
  if (problems.size > 0) return fail(problems);
  return ok(
    one.parameters.reduce((changed, parameter) => {
      const value = valueOf(values, parameter.name);
      return setArgument(changed, parameter.name, value.kind === 'text' ? argumentTexts(parameter, value.text) : []);
    }, model),
  );
}

/** Renders arguments for the URL: an array as a PostgreSQL literal, a variadic parameter once per value. */
function argumentTexts(parameter: DescribedParameter, text: string): readonly string[] {
  if (inputOf(parameter).kind !== 'lines') return [text];
  const elements = text === '' ? [] : text.split('\n');
  return parameter.isVariadic ? elements : [formatArray(elements)];
}

/** @param model the current request, whose parameters for the result are kept, but not its arguments */
export function callByPost(
  one: DescribedFunction,
  values: FieldValues,
  model: QueryModel = createModel({ kind: 'function', name: one.name }),
): Result<OutgoingRequest, Problems> {
  const problems = findProblems(one, values);
  if (problems.size > 0) return fail(problems);
  const [first] = one.parameters;
  const value = valueOf(values, '');
  const isWhole = takesBody(one) && first !== undefined && value.kind === 'text';
  return ok({
    method: 'POST',
    url: renderUrl({ ...model, params: { ...model.params, args: [] } }),
    headers: [
      ['Content-Type', isWhole ? bodyType(first) : 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: isWhole ? value.text : wrap('{}', listMembers(one, values)),
  });
}

function bodyType({ type }: DescribedParameter): string {
  if (type.category === 'json') return 'application/json';
  if (type.category === 'binary') return 'application/octet-stream';
  return type.name === 'xml' ? 'text/xml' : 'text/plain';
}

function listMembers({ parameters }: DescribedFunction, values: FieldValues): readonly string[] {
  return parameters.flatMap((parameter) => {
    const json = jsonOf(parameter, values);
    return json?.ok === true ? [`${JSON.stringify(parameter.name)}: ${json.value}`] : [];
  });
}

function findProblems({ parameters }: DescribedFunction, values: FieldValues): Problems {
  const problems = new Map<string, string>();
  for (const parameter of parameters) {
    const json = jsonOf(parameter, values);
    if (json === undefined && parameter.isRequired) problems.set(parameter.name, 'A value is required.');
    if (json?.ok === false) problems.set(parameter.name, json.error);
  }
  return problems;
}

function jsonOf(parameter: DescribedParameter, values: FieldValues): Result<string, string> | undefined {
  const value = valueOf(values, parameter.name);
  // PostgreSQL resolves a variadic function by named arguments only if the variadic one is among them.
  if (value.kind === 'unset') return parameter.isVariadic ? ok('[]') : undefined;
  return value.kind === 'null' ? ok('null') : toJson(value.text, parameter.type, inputOf(parameter));
}
