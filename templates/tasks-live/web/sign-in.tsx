import { useState } from 'react';
import { readText } from './form.ts';
import { call } from './session.ts';

export function SignIn({ onSignedIn }: { onSignedIn: (name: string | null) => void }) {
  const [problem, setProblem] = useState('');
  const enter = (data: FormData): Promise<void> =>
    call(data.get('new') === null ? 'log_in' : 'sign_up', {
      name: readText(data, 'name'),
      password: data.get('password'),
    }).then(onSignedIn, (error: Error) => setProblem(error.message));
  return (
    <main className="sign-in">
      <h1>Tasks</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent;
          void enter(new FormData(event.currentTarget, submitter));
        }}
      >
        <label>
          Name <input name="name" autoComplete="username" autoCapitalize="none" required autoFocus />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <p role="alert">{problem}</p>
        <div className="row">
          <button className="main">Sign in</button>
          <button name="new" value="yes">
            New account
          </button>
        </div>
      </form>
      {import.meta.env.DEV ? (
        <p className="hint">
          For a try: <b>ann</b> and <b>bob</b>, each with the password <b>tea and plums</b>, in two browsers side by
          side.
        </p>
      ) : null}
    </main>
  );
}
