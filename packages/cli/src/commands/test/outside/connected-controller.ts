import type { HttpRequest } from '@nodewright/runtime';

/** Waits for a controller to connect: it is there when it watches NodeClaims. */
export class ConnectedController {
  #resolve: () => void = () => undefined;

  see({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): void {
    if (isWatchOfNodeClaims(path) && headers['user-agent']?.startsWith('kubectl') !== true) this.#resolve();
  }

  /** Resolves at the next watch. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

function isWatchOfNodeClaims(path: string): boolean {
  const { pathname, searchParams } = new URL(path, 'http://cluster');
  return (
    /^\/apis\/karpenter\.sh\/[^/]+\/nodeclaims$/.test(pathname) && /^(true|1)$/.test(searchParams.get('watch') ?? '')
  );
}
