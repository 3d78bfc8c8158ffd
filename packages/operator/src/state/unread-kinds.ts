import type { ResourceType } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';

/**
 * The kinds that an API server has and does not let the caller read. A server refuses kinds that it does not have in the same
 * words: its discovery tells which those are.
 */
export class UnreadKinds {
  readonly #client: Pick<KubernetesClient, 'serves'>;
  readonly #asking = new Map<string, Promise<void>>();
  readonly #handlers: (() => void)[] = [];
  #names: ReadonlySet<string> = new Set();

  constructor(client: Pick<KubernetesClient, 'serves'>) {
    this.#client = client;
  }

  /** Such as `pods` and `nodepools.karpenter.sh`. Another set after each change. */
  names(): ReadonlySet<string> {
    return this.#names;
  }

  onChange(handler: () => void): void {
    this.#handlers.push(handler);
  }

  noteRefusal(type: ResourceType): void {
    const name = nameResource(type);
    if (!this.#names.has(name) && !this.#asking.has(name)) this.#asking.set(name, this.#ask(type, name));
  }

  noteAnswer(type: ResourceType): void {
    const name = nameResource(type);
    this.#asking.delete(name);
    if (this.#names.has(name)) this.#set([...this.#names].filter((each) => each !== name));
  }

  /** Resolves when it is known of every refusal so far whether the server has the kind. */
  async settled(): Promise<void> {
    await Promise.all(this.#asking.values());
  }

  async #ask(type: ResourceType, name: string): Promise<void> {
    const isServed = await this.#client.serves(type).catch(() => true);
    const isReadMeanwhile = !this.#asking.delete(name);
    if (isServed && !isReadMeanwhile) this.#set([...this.#names, name]);
  }

  #set(names: readonly string[]): void {
    this.#names = new Set(names);
    for (const handler of this.#handlers) handler();
  }
}

const nameResource = ({ group, plural }: ResourceType): string => (group === '' ? plural : `${plural}.${group}`);
