import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

type PartProps = { readonly summary: string; readonly children: () => ComponentChildren };

/** What is drawn once a reader opens it: there may be much of it. */
export function OpenedPart({ summary, children }: PartProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}
