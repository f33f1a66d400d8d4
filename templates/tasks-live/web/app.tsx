// The page: the sign-in form, or lists on the left and the tasks of one of them on the right.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { problems } from './changes.ts';
import { live } from './data.ts';
import { Lists } from './lists.tsx';
import { call } from './session.ts';
import { SignIn } from './sign-in.tsx';

export function App() {
  // Undefined until it is known.
  const [me, setMe] = useState<string | null>();
  useEffect(() => {
    const ask = (): void => void call('renew').then(setMe, () => setTimeout(ask, 1000));
    ask();
  }, []);
  if (me === undefined) return <p className="waiting">Connecting …</p>;
  if (me === null) return <SignIn onSignedIn={setMe} />;
  return (
    <>
      <header>
        <h1>Tasks</h1>
        <Status />
        <span className="me">{me}</span>
        <button onClick={() => void call('log_out').finally(() => location.reload())}>Sign out</button>
      </header>
      <Problem />
      <Lists me={me} />
    </>
  );
}

const STATUS = { open: 'Live', connecting: 'Connecting …', waiting: 'No connection, trying again', closed: 'Closed' };

function Status() {
  const status = useSyncExternalStore(
    (listener) => {
      live.addEventListener('status', listener);
      return () => live.removeEventListener('status', listener);
    },
    () => live.status,
  );
  return (
    <span role="status" className={`status ${status}`}>
      {STATUS[status]}
    </span>
  );
}

function Problem() {
  const problem = useSyncExternalStore(problems.subscribe, problems.read);
  return (
    <div role="alert" className="problem">
      {problem === '' ? null : (
        <>
          {problem} <button onClick={() => problems.show('')}>Close</button>
        </>
      )}
    </div>
  );
}
