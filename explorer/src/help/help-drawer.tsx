// The help drawer: URL grammar and keyboard shortcuts.
import type { VNode } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Kbd } from '../ui/text.tsx';
import { GRAMMAR } from './grammar.ts';
import { KEYS } from './keys.ts';
import './help.css';

export type HelpTopic = 'grammar' | 'keys';

export interface HelpDrawerProps {
  /** Undefined while closed. */
  readonly topic: HelpTopic | undefined;
  readonly onTopic: (topic: HelpTopic | undefined) => void;
}

const TABS = [
  { id: 'grammar', label: 'URL syntax' },
  { id: 'keys', label: 'Keyboard shortcuts' },
] as const;

export function HelpDrawer({ topic, onTopic }: HelpDrawerProps): VNode | null {
  if (topic === undefined) return null;
  return (
    <Dialog title="Help" isOpen placement="right" onClose={() => onTopic(undefined)}>
      <div class="help">
        <Tabs label="Topics" tabs={TABS} selected={topic} onSelect={onTopic} controls="help-topic" />
        <div id="help-topic" role="tabpanel" aria-label={topic === 'grammar' ? 'URL syntax' : 'Keyboard shortcuts'}>
          {topic === 'grammar' ? <Grammar /> : <Keys />}
        </div>
      </div>
    </Dialog>
  );
}

function Grammar(): VNode {
  return (
    <>
      <p class="help-lead">
        The path names a table, a view or a function; behind <code>?</code> stands what you task of it, joined by{' '}
        <code>&</code>. The same line works here, in curl and in every program.
      </p>
      {GRAMMAR.map(({ title, rows }) => (
        <section key={title} class="help-section">
          <h3>{title}</h3>
          <dl>
            {rows.map(({ task, syntax }) => (
              <div key={syntax} class="help-row">
                <dt>{task}</dt>
                <dd>
                  <code>{syntax}</code>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

function Keys(): VNode {
  return (
    <>
      {KEYS.map(({ where, keys }) => (
        <section key={where} class="help-section">
          <h3>{where}</h3>
          <dl>
            {keys.map(({ keys, action }) => (
              <div key={action} class="help-key">
                <dt>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd>{action}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}
