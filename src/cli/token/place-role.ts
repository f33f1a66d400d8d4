// Claims and a role → the claims with the role where `jwt-role-claim-key` looks for it.
import { isJsonObject, type JsonObject } from '../../util/json-object.ts';
import { parseRolePath, resolveRole, type RolePath } from '../../auth/role-path.ts';
import { fail, ok, type Result } from '../../contract/result.ts';

/** Where the path is no plain row of names, the claims must lead to the role by themselves. An error is a text for the user. */
export function placeRole(claims: JsonObject, role: string, pathText: string): Result<JsonObject, string> {
  const path = parseRolePath(pathText);
  if (!path.ok) return path;
  const names = listNames(path.value);
  const placed = names === undefined ? claims : setAt(claims, names, role);
  if (resolveRole(path.value, placed) === role) return ok(placed);
  return fail(
    `jwt-role-claim-key is ${pathText}, which does not say by itself where the role goes. State the claims that lead to the role ${role} with --claim.`,
  );
}

/** Undefined where the path is more than names behind each other. */
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
