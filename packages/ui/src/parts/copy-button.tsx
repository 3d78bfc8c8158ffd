import { useState } from 'preact/hooks';

type CopyButtonProps = { readonly text: () => string; readonly label: string; readonly name?: string };

/** Copies a text, and says so until the pointer or the focus leaves. */
export function CopyButton({ text, label, name }: CopyButtonProps) {
  const [answer, setAnswer] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setAnswer('Copied'),
      () => setAnswer('The browser refused'),
    );
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={copy}
      onBlur={() => setAnswer('')}
      onMouseLeave={() => setAnswer('')}
      aria-label={name ?? label}
    >
      <span aria-live="polite">{answer === '' ? label : answer}</span>
    </button>
  );
}
