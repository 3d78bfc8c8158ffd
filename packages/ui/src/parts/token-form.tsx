import { useEffect, useRef, useState } from 'preact/hooks';
import { keepToken } from '../live/ask-server.ts';
import { CopyButton } from './copy-button.tsx';

const command = 'kubectl create token NAME --namespace NAMESPACE --duration 1h';

/** Asks for a token of the cluster. The tab keeps it until it is closed, and sends it to the server of the page alone. */
export function TokenForm({ onToken }: { readonly onToken: () => void }) {
  const [token, setToken] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    keepToken(token.trim());
    onToken();
  };
  return (
    <form class="card token-form" onSubmit={submit}>
      <p>You see here what you may list in the cluster. The page needs a token of it, and keeps it in this tab.</p>
      <label>
        Token
        <input
          type="password"
          ref={field}
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        Show the cluster
      </button>
      <p>
        For a ServiceAccount: <code>{command}</code>{' '}
        <CopyButton text={() => command} label="Copy" name={`Copy ${command}`} />
      </p>
    </form>
  );
}
