// Completes an update of the development database with what the library does not plan (`project.md` §2 item 5): the catalogs
// of the database are compared with those of the files, which is also the second opinion about the plan.
import { DatabaseError, type Client } from 'pg';
import {
  type Catalog,
  type CatalogDifference,
  compareCatalogs,
  nameDifferences,
  readCatalog,
} from '../compare/catalog/catalog.ts';

export interface Completion {
  /** `+ text search configuration api.c`, `~ storage of column api.t.b` */
  readonly changed: readonly string[];
  /** Names what differs and cannot be changed in place; undefined if nothing does. */
  readonly unchangeable: string | undefined;
}

const NOTHING: Completion = { changed: [], unchangeable: undefined };

/** A new object may have properties that are set after it. */
const MAX_ROUNDS = 3;
const LOCK_NOT_AVAILABLE = '55P03';

export class UpdateCompleter {
  /** What PostgreSQL prints otherwise although it was set, with both texts. */
  readonly #reprinted: Set<string> = new Set();
  /** The objects of the files that the library does not follow, when they were last applied. */
  #objects: string | undefined;

  /** Whether the database may lack objects of the files that the library does not follow. */
  hasNewObjects(files: Catalog): boolean {
    return listObjects(files) !== this.#objects;
  }

  /** Call when the files have been applied. */
  noteApplied(files: Catalog): void {
    this.#objects = listObjects(files);
  }

  /**
   * Finds the objects that can be made or dropped before the plan, which may need them, by trying that.
   *
   * @param dev not in a transaction
   * @param isKnown whether the files of the last update contained it: what only the database has was made by hand
   */
  async findEarly(
    dev: Client,
    files: Catalog,
    isKnown: (name: string) => boolean,
  ): Promise<{ readonly statements: readonly string[]; readonly changed: readonly string[] }> {
    if (!this.hasNewObjects(files)) return { statements: [], changed: [] };
    const { differences } = await this.#compare(dev, files, { isKnown, isInTransaction: false });
    const objects = differences.filter(({ isObject, statements }) => isObject && statements.length > 0);
    if (objects.length === 0) return { statements: [], changed: [] };
    await dev.query('begin');
    try {
      const early: CatalogDifference[] = [];
      for (const each of objects) if (await tryStatements(dev, each)) early.push(each);
      return { statements: early.flatMap(({ statements }) => statements), changed: early.map(signed) };
    } finally {
      await dev.query('rollback');
    }
  }

  /** Whether something would be completed. @param dev not in a transaction */
  async examine(dev: Client, files: Catalog, isKnown: (name: string) => boolean): Promise<Completion> {
    const { differences } = await this.#compare(dev, files, { isKnown, isInTransaction: false });
    return summarize(differences, differences.filter(({ statements }) => statements.length > 0).map(signed));
  }

  /** @param dev in a transaction, in which the plan has run */
  async complete(dev: Client, files: Catalog, isKnown: (name: string) => boolean): Promise<Completion> {
    const changed: string[] = [];
    for (let round = 1; ; round += 1) {
      const { differences, found } = await this.#compare(dev, files, { isKnown, isInTransaction: true });
      const known = differences.filter(({ statements }) => statements.length > 0);
      const objects = known.filter(({ isObject }) => isObject);
      const failed = new Set<CatalogDifference>();
      for (const each of objects.length > 0 ? objects : known) {
        if (!(await tryStatements(dev, each))) failed.add(each);
        else changed.push(signed(each));
        this.#reprinted.add(keyOf(each.name, found, files));
      }
      const isDone = objects.length === failed.size || objects.length === 0;
      if (isDone || round === MAX_ROUNDS)
        return summarize(
          differences.filter((each) => failed.has(each) || !known.includes(each)),
          [...new Set(changed)],
        );
    }
  }

  async #compare(
    dev: Client,
    files: Catalog,
    { isKnown, isInTransaction }: { readonly isKnown: (name: string) => boolean; readonly isInTransaction: boolean },
  ): Promise<{ readonly differences: readonly CatalogDifference[]; readonly found: Catalog }> {
    const found = await readCatalog(dev, { isInTransaction });
    const differences = compareCatalogs(found, files).filter(({ name, kind, statements }) => {
      if (kind === 'surplus') return isKnown(name);
      const isText = kind === 'different' && files.facts.get(name)?.isPrinted === true;
      return !isText || (statements.length > 0 && !this.#reprinted.has(keyOf(name, found, files)));
    });
    return { differences, found };
  }
}

function summarize(rest: readonly CatalogDifference[], changed: readonly string[]): Completion {
  const left = rest.filter(({ statements, isObject }) => statements.length === 0 || isObject);
  if (left.length === 0 && changed.length === 0) return NOTHING;
  return { changed, unchangeable: left.length === 0 ? undefined : nameDifferences(left) };
}

function keyOf(name: string, found: Catalog, files: Catalog): string {
  return [name, found.facts.get(name)?.value, files.facts.get(name)?.value].join('\0');
}

function listObjects({ facts }: Catalog): string {
  const objects = [...facts.values()].filter(({ isObject }) => isObject);
  return objects.map(({ name, value }) => `${name}\0${value}`).join('\0');
}

function signed({ name, kind, isObject }: CatalogDifference): string {
  if (!isObject || kind === 'different') return `~ ${name}`;
  return `${kind === 'missing' ? '+' : '-'} ${name}`;
}

/** @returns whether all of them have run; none has otherwise */
async function tryStatements(dev: Client, { statements }: CatalogDifference): Promise<boolean> {
  await dev.query('savepoint completing');
  try {
    await dev.query(statements.join(';\n'));
    await dev.query('release savepoint completing');
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code === LOCK_NOT_AVAILABLE) throw error;
    await dev.query('rollback to savepoint completing; release savepoint completing');
    return false;
  }
}
