import { eq, useLiveQuery } from '@tanstack/react-db';
import type { KeyboardEvent } from 'react';
import { addTask, changeTask, removeList, removeTasks, share, unshare } from './changes.ts';
import { members, tasks } from './data.ts';
import type { Tables } from './database.ts';
import { readText } from './form.ts';

interface Shown {
  list: Tables<'lists'>;
  me: string;
}

export function List({ list, me }: Shown) {
  const { data } = useLiveQuery({
    queryKey: ['tasks', list.id],
    query: (q) =>
      q
        .from({ task: tasks })
        .where(({ task }) => eq(task.list_id, list.id))
        .orderBy(({ task }) => task.created_at),
  });
  const done = data.filter(({ is_done }) => is_done);
  const remove = (): void => {
    if (!confirm(`Delete the list ${list.name} with its tasks?`)) return;
    removeList(list.id);
    location.hash = '';
  };
  return (
    <main>
      <h2>{list.name}</h2>
      <Sharing list={list} me={me} />
      <ul className="tasks">
        {data.map((task) => (
          <Task key={task.id} task={task} me={me} />
        ))}
      </ul>
      <form action={(form) => addTask(list.id, readText(form, 'title'), me)}>
        <input name="title" aria-label="New task" placeholder="New task" required />
        <button className="main">Add</button>
      </form>
      <footer>
        {done.length === 0 ? null : (
          <button onClick={() => removeTasks(done.map(({ id }) => id))}>Remove {done.length} done</button>
        )}
        {list.owner === me ? <button onClick={remove}>Delete list</button> : null}
      </footer>
    </main>
  );
}

function Task({ task, me }: { task: Tables<'tasks'>; me: string }) {
  const { id, title, is_done, added_by } = task;
  // Enter saves, by leaving the field; Escape brings the old title back.
  const leave = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (event.key === 'Escape') event.currentTarget.value = title;
    event.currentTarget.blur();
  };
  const rename = (text: string): void => {
    if (text !== title) changeTask(id, { title: text });
  };
  return (
    <li className={is_done ? 'done' : undefined}>
      <input
        type="checkbox"
        aria-label={`Done: ${title}`}
        checked={is_done}
        onChange={() => changeTask(id, { is_done: !is_done })}
      />
      {/* The key makes the field anew when somebody else has changed the title. */}
      <textarea
        key={title}
        rows={1}
        aria-label={`Title: ${title}`}
        defaultValue={title}
        onKeyDown={leave}
        onBlur={({ target }) => rename(target.value.trim())}
      />
      {added_by === me ? null : <small>{added_by}</small>}
      <button aria-label={`Remove: ${title}`} onClick={() => removeTasks([id])}>
        ×
      </button>
    </li>
  );
}

/** The owner shares a list; the others may leave it. */
function Sharing({ list: { id, owner }, me }: Shown) {
  const { data } = useLiveQuery({
    queryKey: ['members', id],
    query: (q) =>
      q
        .from({ member: members })
        .where(({ member }) => eq(member.list_id, id))
        .orderBy(({ member }) => member.person),
  });
  const isOwner = owner === me;
  return (
    <section className="sharing" aria-label="Sharing">
      {isOwner ? null : <span>{owner} shares this list with you.</span>}
      {data.map(({ person }) => (
        <span key={person} className="person">
          {person}
          {isOwner || person === me ? (
            <button aria-label={isOwner ? `Stop sharing with ${person}` : 'Leave'} onClick={() => unshare(id, person)}>
              ×
            </button>
          ) : null}
        </span>
      ))}
      {isOwner ? (
        <form action={(form) => share(id, readText(form, 'person'))}>
          <input name="person" aria-label="Share with" placeholder="Share with …" autoCapitalize="none" required />
          <button>Share</button>
        </form>
      ) : null}
    </section>
  );
}
