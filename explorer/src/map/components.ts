// Finds the connected components of a graph, largest first, and the isolated nodes.

export interface Link {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface Components {
  readonly groups: readonly (readonly string[])[];
  readonly loners: readonly string[];
}

export function findComponents(names: readonly string[], links: readonly Link[]): Components {
  const neighbors = new Map<string, string[]>(names.map((name) => [name, []]));
  const linked = new Set<string>();
  for (const { from, to } of links) {
    neighbors.get(from)?.push(to);
    neighbors.get(to)?.push(from);
    linked.add(from).add(to);
  }
  const seen = new Set<string>();
  const groups = names
    .filter((name) => linked.has(name))
    .flatMap((name) => {
      if (seen.has(name)) return [];
      return [collect(name, neighbors, seen)];
    });
  return {
    groups: groups.sort((a, b) => b.length - a.length),
    loners: names.filter((name) => !linked.has(name)),
  };
}

function collect(
  start: string,
  neighbors: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
): readonly string[] {
  const group = [start];
  seen.add(start);
  for (const name of group) {
    for (const next of neighbors.get(name) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      group.push(next);
    }
  }
  return group;
}
