type NoticeListener = (instanceId: string) => void;

/**
 * Announces instances that end, or that EC2 warned about, to models that are created later than EC2.
 * Guarantees: every subscriber hears of each instance in the order of the announcements, before `announce` returns.
 */
export class InstanceNotices {
  readonly #listeners: NoticeListener[] = [];

  subscribe(listener: NoticeListener): void {
    this.#listeners.push(listener);
  }

  announce(instanceId: string): void {
    for (const listener of this.#listeners) listener(instanceId);
  }
}
