// The help drawer: URL grammar and keyboard shortcuts. Loaded when it is opened.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { DOCUMENTATION } from '../client/documentation.ts';
import type { Store } from '../store/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Kbd } from '../ui/text.tsx';
import { chooseNames } from './grammar-names.ts';
import { makeGrammar } from './grammar.ts';
import { KEYS } from './keys.ts';
import './help.css';

export type HelpTopic = 'grammar' | 'keys';

export interface HelpDrawerProps {
  readonly store: Store;
  readonly topic: HelpTopic;
  /** Undefined closes the drawer. */
  readonly onTopic: (topic: HelpTopic | undefined) => void;
}

const TABS = [
  { id: 'grammar', label: 'URL syntax' },
  { id: 'keys', label: 'Keyboard shortcuts' },
] as const;

export function HelpDrawer({ store, topic, onTopic }: HelpDrawerProps): VNode {
  return (
    <Dialog title="Help" isOpen placement="right" onClose={() => onTopic(undefined)}>
      <div class="ui-stack help">
        <Tabs label="Topics" tabs={TABS} selected={topic} onSelect={onTopic} controls="help-topic" />
        <div id="help-topic" role="tabpanel" aria-label={topic === 'grammar' ? 'URL syntax' : 'Keyboard shortcuts'}>
          {topic === 'grammar' ? <Grammar store={store} /> : <Keys />}
        </div>
      </div>
    </Dialog>
  );
}

function Grammar({ store }: Pick<HelpDrawerProps, 'store'>): VNode {
  const index = store.known.value;
  const sections = useMemo(() => makeGrammar(chooseNames(index), index?.document.features.extensions), [index]);
  return (
    <>
      <p class="help-lead">
        The path names a table, a view or a function. Parameters follow after <code>?</code>, separated by{' '}
        <code>&</code>. The same URL works here, in curl and in any program.
      </p>
      {sections.map(({ title, rows }) => (
        <section key={title} class="ui-stack ui-gap-3 help-section">
          <h3>{title}</h3>
          <dl>
            {rows.map(({ task, syntax }) => (
              <div key={syntax} class="ui-stack help-row">
                <dt>{task}</dt>
                <dd>
                  <code>{syntax}</code>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="help-lead">
        The <DocsLink page="">documentation</DocsLink> explains <DocsLink page="query-language.html">reading</DocsLink>,{' '}
        <DocsLink page="writes.html">writing</DocsLink>, <DocsLink page="batches.html">batches</DocsLink> and{' '}
        <DocsLink page="functions.html">functions</DocsLink> in full.
      </p>
    </>
  );
}

function DocsLink({ page, children }: { readonly page: string; readonly children: string }): VNode {
  return (
    <a href={DOCUMENTATION + page} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

function Keys(): VNode {
  return (
    <>
      {KEYS.map(({ where, keys }) => (
        <section key={where} class="ui-stack ui-gap-3 help-section">
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
