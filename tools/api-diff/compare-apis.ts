// Compares two APIs as their clients see them: what breaks, what may surprise, and what is new (`project.md` §3 item 5).
import { findRelation, type MediaHandler, type Relation } from '../../src/catalog/schema-cache.ts';
import { type Api, mayReach, rolesThat } from './api.ts';
import { type Change, type ChangeKind, createChange, sortChanges, type Uses } from './change.ts';
import { compareAccess } from './compare-access.ts';
import { compareColumns, report } from './compare-columns.ts';
import { compareEmbeds } from './compare-embeds.ts';
import { compareFunctions } from './compare-functions.ts';
import { compareKeys } from './compare-keys.ts';
import { pairRelations, type RelationPair, type Sides } from './sides.ts';

/** Returns the changes that a web role can notice, in the order in which they are reported. */
export function compareApis(sides: Sides): readonly Change[] {
  const { old, new: current } = sides;
  return sortChanges([
    ...listRelations(old).flatMap((relation) => {
      const found = findRelation(current.cache, relation.name);
      return found === undefined
        ? describeRoute('route-removed', old, relation)
        : compareRelation(sides, pairRelations(sides, relation, found));
    }),
    ...listRelations(current)
      .filter(({ name }) => findRelation(old.cache, name) === undefined)
      .flatMap((relation) => describeRoute('route-added', current, relation)),
    ...compareFunctions(sides),
    ...compareMediaTypes(sides),
  ]);
}

function listRelations({ cache, schemas }: Api): readonly Relation[] {
  return schemas.flatMap((schema) => [...(cache.relations.get(schema)?.values() ?? [])]);
}

function describeRoute(kind: 'route-removed' | 'route-added', api: Api, relation: Relation): readonly Change[] {
  const { schema, name } = relation.name;
  return report(
    kind,
    { schema, path: `/${name}` },
    {
      roles: rolesThat(api, (access) => mayReach(access, relation)),
      message: kind === 'route-added' ? 'the route is new' : 'the route is gone',
      uses: { kind: kind === 'route-added' ? 'nothing' : 'any' },
    },
  );
}

function compareRelation(sides: Sides, pair: RelationPair): readonly Change[] {
  return [
    ...compareColumns(sides, pair),
    ...compareKeys(sides, pair),
    ...compareAccess(sides, pair),
    ...compareEmbeds(sides, pair),
  ];
}

/** The path of handlers for any route. */
const ANY_PATH = '/';

function compareMediaTypes({ old, new: current }: Sides): readonly Change[] {
  const [before, after] = [listMediaTypes(old), listMediaTypes(current)];
  const only = (types: typeof before, others: typeof before): readonly MediaHandler[] =>
    [...types].filter(([key]) => !others.has(key)).map(([, handler]) => handler);
  return [
    ...only(before, after).flatMap((handler) => describeMediaType('media-type-removed', [old, current], handler)),
    ...only(after, before).flatMap((handler) => describeMediaType('media-type-added', [current, old], handler)),
  ];
}

function listMediaTypes({ cache }: Api): ReadonlyMap<string, MediaHandler> {
  return new Map(cache.mediaHandlers.map((handler) => [JSON.stringify([handler.element, handler.mediaType]), handler]));
}

/** A route that only one of the APIs has is reported as such. */
function describeMediaType(
  kind: ChangeKind,
  [api, other]: readonly [Api, Api],
  { element, mediaType }: MediaHandler,
): readonly Change[] {
  const isNew = kind === 'media-type-added';
  const message = isNew ? `${mediaType} can be requested` : `${mediaType} cannot be requested any more`;
  const uses: Uses = { kind: isNew ? 'nothing' : 'mediaType' };
  const details = { name: mediaType, message, uses };
  const anyRole = rolesThat(api, () => true);
  if (element === undefined)
    return [createChange(kind, { ...details, schema: api.schemas[0] ?? '', path: ANY_PATH, roles: anyRole })];
  const relation = findRelation(api.cache, element);
  const { schema, name } = element;
  if (relation !== undefined) {
    const roles = rolesThat(api, (access) => mayReach(access, relation));
    return findRelation(other.cache, element) === undefined
      ? []
      : report(kind, { schema, path: `/${name}` }, { ...details, roles });
  }
  const callers = rolesThat(api, ({ visible }) =>
    (api.cache.routines.get(schema)?.get(name) ?? []).some(({ oid }) => visible.routines.has(oid)),
  );
  const isKept = other.cache.routines.get(schema)?.has(name) ?? false;
  return isKept ? report(kind, { schema, path: `/rpc/${name}` }, { ...details, roles: callers }) : [];
}
