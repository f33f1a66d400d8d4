import { count, eq, useLiveQuery } from '@tanstack/react-db';
import { useEffect, useSyncExternalStore } from 'react';
import { addList } from './changes.ts';
import { lists, members, tasks } from './data.ts';
import { readText } from './form.ts';
import { List } from './list.tsx';

export function Lists({ me }: { me: string }) {
  const { data, isReady, isError } = useLiveQuery({
    queryKey: ['lists'],
    query: (q) => q.from({ list: lists }).orderBy(({ list }) => list.created_at),
  });
  const { data: counts } = useLiveQuery({
    queryKey: ['counts'],
    query: (q) =>
      q
        .from({ task: tasks })
        .where(({ task }) => eq(task.is_done, false))
        .groupBy(({ task }) => task.list_id)
        .select(({ task }) => ({ list_id: task.list_id, open: count(task.id) })),
  });
  // Together with the two reads above, so that one request begins all three.
  useEffect(() => void members.preload(), []);
  const chosen = useHash();
  if (isError) return <p className="waiting">{lists.utils.error?.message}</p>;
  if (!isReady) return <p className="waiting">Loading …</p>;
  const shown = chosen === '' ? data[0] : data.find(({ id }) => id === chosen);
  const openIn = new Map(counts.map(({ list_id, open }) => [list_id, open]));
  const add = (form: FormData): void => {
    location.hash = addList(readText(form, 'name'), me);
  };
  return (
    <div className="columns">
      <nav aria-label="Lists">
        <ul>
          {data.map(({ id, name, owner }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === shown?.id ? 'page' : undefined}>
                <span className="name">
                  {name} {owner === me ? null : <small>of {owner}</small>}
                </span>
                <span className="count">{openIn.get(id) ?? ''}</span>
              </a>
            </li>
          ))}
        </ul>
        <form action={add}>
          <input name="name" aria-label="New list" placeholder="New list" required />
          <button>Add</button>
        </form>
      </nav>
      {shown === undefined ? (
        <main className="waiting">
          {chosen === '' ? 'Add a list to begin.' : 'This list is gone, or it is no longer shared with you.'}
        </main>
      ) : (
        <List key={shown.id} list={shown} me={me} />
      )}
    </div>
  );
}

/** The list in the address of the page: links and the buttons of the browser change it. */
function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('hashchange', listener);
      return () => removeEventListener('hashchange', listener);
    },
    () => location.hash.slice(1),
  );
}
