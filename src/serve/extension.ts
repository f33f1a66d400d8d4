// What an extension is. The core knows none by name: the list of them is in `server/extensions.ts`, and what each adds is
// in `extensions/<name>/index.ts`.
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ScriptGuard } from '../sql/script-guard.ts';
import type { Seams } from './request-context.ts';

export interface Extension {
  /** The name of its folder. */
  readonly name: string;
  /**
   * Called when the configuration or the schema cache has changed.
   *
   * @returns what it adds to requests; undefined where it is off
   */
  readonly compile?: (settings: SeamSettings) => Seams | undefined;
  /** Makes what decides, for one pool, whether statements run. */
  readonly guardScripts?: () => ScriptGuard;
}

export interface SeamSettings {
  readonly config: AppConfig;
  readonly dialect: Dialect;
}

/** Each member comes from the extensions that add it: the first that recognizes a request answers it. */
export function compileSeams(extensions: readonly Extension[], settings: SeamSettings): Seams {
  const active = extensions.flatMap((extension) => extension.compile?.(settings) ?? []);
  return {
    findOwnTask: firstOf(active.flatMap((seams) => seams.findOwnTask ?? [])),
    hold: onlyOf(active.flatMap((seams) => seams.hold ?? [])),
    rowBodies: onlyOf(active.flatMap((seams) => seams.rowBodies ?? [])),
    limitCost: onlyOf(active.flatMap((seams) => seams.limitCost ?? [])),
    findKeyUse: onlyOf(active.flatMap((seams) => seams.findKeyUse ?? [])),
  };
}

function firstOf<Asked extends readonly unknown[], Found>(
  functions: readonly ((...asked: Asked) => Found | undefined)[],
): ((...asked: Asked) => Found | undefined) | undefined {
  if (functions.length < 2) return functions[0];
  return (...asked) => {
    for (const find of functions) {
      const found = find(...asked);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function onlyOf<Seam>(functions: readonly Seam[]): Seam | undefined {
  if (functions.length > 1) throw new Error('two extensions add the same');
  return functions[0];
}
