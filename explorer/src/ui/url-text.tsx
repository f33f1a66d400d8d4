// A read-only request URL with syntax highlighting, wrapped at `&`.
import type { VNode } from 'preact';

export function UrlText({ url }: { readonly url: string }): VNode {
  const [path = '', ...query] = url.split('?');
  const parameters = query.join('?').split('&');
  return (
    <code class="url-text" dir="ltr">
      <span class="url-text-path">{path}</span>
      {query.length === 0
        ? null
        : parameters.map((parameter, index) => {
            const [name = '', ...value] = parameter.split('=');
            return (
              <>
                {index === 0 ? null : <wbr />}
                <span class="url-text-mark">{index === 0 ? '?' : '&'}</span>
                <span class="url-text-name">{name}</span>
                <span class="url-text-mark">=</span>
                <BreakingAtCommas text={value.join('=')} />
              </>
            );
          })}
    </code>
  );
}

function BreakingAtCommas({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(/(?<=,)/u).map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </>
  );
}
