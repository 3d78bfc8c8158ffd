import { CloudError, type ParameterPort, type StoredText } from '@nodewright/ports';

/** Texts in memory, which several clusters may share. */
export class FakeParameters implements ParameterPort {
  readonly texts = new Map<string, StoredText>();
  /** Names that cannot be read or written. */
  readonly forbidden = new Set<string>();
  writes = 0;

  read(name: string): Promise<StoredText | undefined> {
    return this.#allowed(name) ?? Promise.resolve(this.texts.get(name));
  }

  write(name: string, text: string): Promise<number> {
    const refused = this.#allowed(name);
    if (refused !== undefined) return refused;
    this.writes += 1;
    const version = (this.texts.get(name)?.version ?? 0) + 1;
    this.texts.set(name, { text, version });
    return Promise.resolve(version);
  }

  #allowed(name: string): Promise<never> | undefined {
    if (!this.forbidden.has(name)) return undefined;
    const error = { code: 'AccessDeniedException', retry: 'backOff' as const };
    return Promise.reject(new CloudError(`AccessDeniedException: not authorized for ${name}`, error));
  }
}
