// Adds the role to the claims at the path of `jwt-role-claim-key`.
import { isJsonObject, type JsonObject } from '../../src/util/json-object.ts';
import { parseRolePath, resolveRole, type RolePath } from '../../src/auth/role-path.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';

/** If the path has steps other than names, the claims must already contain the role. An error is for the user. */
export function placeRole(claims: JsonObject, role: string, pathText: string): Result<JsonObject, string> {
  const path = parseRolePath(pathText);
  if (!path.ok) return path;
  const names = listNames(path.value);
  const placed = names === undefined ? claims : setAt(claims, names, role);
  if (resolveRole(path.value, placed) === role) return ok(placed);
  return fail(
    `Cannot place the role, because jwt-role-claim-key is ${pathText}. Use --claim to add claims in which that path finds the role ${role}.`,
  );
}

/** Returns undefined if the path has steps other than names. */
function listNames(path: RolePath): readonly string[] | undefined {
  const names =
    path.kind === 'dsl'
      ? path.steps.map((step) => (step.kind === 'key' ? step.name : undefined))
      : path.path.segments.map(({ isDescendant, selectors: [first, ...others] }) =>
          first?.kind === 'name' && others.length === 0 && !isDescendant ? first.name : undefined,
        );
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length ? known : undefined;
}

function setAt(object: JsonObject, [name, ...rest]: readonly string[], role: string): JsonObject {
  if (name === undefined) return object;
  if (rest.length === 0) return { ...object, [name]: role };
  const inner = object[name];
  return { ...object, [name]: setAt(isJsonObject(inner) ? inner : {}, rest, role) };
}
