import { seconds } from '@nodewright/apis';
import type { InterruptionPort, QueuedMessage } from '@nodewright/ports';
import { expect } from 'vitest';
import { abortedBefore, describePort, expectAborted, neverAborted } from './cloud-under-test.ts';

/** An empty queue of interruptions. */
export type InterruptionsUnderTest = {
  readonly interruptions: InterruptionPort;
  /** AWS announces that it takes a spot instance back. */
  readonly announce: (instanceId: string) => void;
  readonly now: () => number;
  readonly finish: <T>(work: Promise<T>) => Promise<T>;
};

const idsIn = (messages: readonly QueuedMessage[]): readonly string[] =>
  messages.flatMap(({ content }) => ('instanceIds' in content ? content.instanceIds : [content.kind]));

/** The guarantees of `InterruptionPort`. */
export const describeInterruptionContract = (
  name: string,
  createSubject: () => Promise<InterruptionsUnderTest> | InterruptionsUnderTest,
): void =>
  describePort(`${name}: interruptions`, createSubject, {
    'a receiver waits for twenty seconds for a message, and has none then': async (subject) => {
      const { interruptions, finish, now } = subject;
      const since = now();
      expect(await finish(interruptions.receive(neverAborted))).toEqual([]);
      expect(now() - since).toBe(seconds(20));
    },
    'a message says what is announced, of which instance': async ({ interruptions, announce, finish }) => {
      announce('i-0123456789abcdef0');
      const [message] = await finish(interruptions.receive(neverAborted));
      expect(message?.content).toMatchObject({ kind: 'spot_interrupted', instanceIds: ['i-0123456789abcdef0'] });
    },
    'at most ten messages come at once, and none twice while it is hidden': async (subject) => {
      const { interruptions, announce, finish } = subject;
      for (let count = 0; count < 11; count += 1) announce(`i-${count}`);
      const first = idsIn(await finish(interruptions.receive(neverAborted)));
      const second = idsIn(await finish(interruptions.receive(neverAborted)));
      expect([first.length, second.length]).toEqual([10, 1]);
      expect(new Set([...first, ...second]).size).toBe(11);
    },
    'a message that is not removed comes again after twenty seconds': async (subject) => {
      const { interruptions, announce, finish, now } = subject;
      announce('i-1');
      const since = now();
      await finish(interruptions.receive(neverAborted));
      expect(idsIn(await finish(interruptions.receive(neverAborted)))).toEqual(['i-1']);
      expect(now() - since).toBe(seconds(20));
    },
    'a message that is removed does not come again, and may be removed again': async (subject) => {
      const { interruptions, announce, finish } = subject;
      announce('i-1');
      for (const message of await finish(interruptions.receive(neverAborted))) {
        await finish(interruptions.remove(message, neverAborted));
        await finish(interruptions.remove(message, neverAborted));
      }
      expect(await finish(interruptions.receive(neverAborted))).toEqual([]);
      expect(await finish(interruptions.receive(neverAborted))).toEqual([]);
    },
    'a receiver that is given up ends, and takes no message': async (subject) => {
      const { interruptions, announce, finish } = subject;
      announce('i-1');
      await expectAborted(finish(interruptions.receive(abortedBefore())));
      expect(idsIn(await finish(interruptions.receive(neverAborted)))).toEqual(['i-1']);
    },
  });
