import type { ComponentChildren } from 'preact';
import { useAddress } from './page-context.ts';

type ExplainLinkProps = { readonly path: string; readonly children: ComponentChildren; readonly label?: string };

/** Opens the explanation of an object beside the view. */
export function ExplainLink({ path, children, label }: ExplainLinkProps) {
  const address = useAddress();
  return (
    <a class="explain-link" href={address({ explain: path })} {...(label === undefined ? {} : { 'aria-label': label })}>
      {children}
    </a>
  );
}
