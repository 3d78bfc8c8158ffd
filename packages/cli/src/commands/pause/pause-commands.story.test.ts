import { run } from '@stricli/core';
import { disruptionPauses, nodePools } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

let cluster: ServedCluster, bare: ServedCluster;
beforeAll(async () => {
  cluster = await aServedCluster({ at: '2024-08-15T10:00:00Z' });
  bare = await aServedCluster({ areKindsInstalled: false });
  await cluster.store(nodePools, aNodePool('batch'), aNodePool('web'));
});
afterAll(async () => {
  await cluster.close();
  await bare.close();
});
const listPauses = async () => (await cluster.ask((client) => client.list(disruptionPauses))).items;
afterEach(async () => {
  for (const { metadata } of await listPauses())
    await cluster.ask((client) => client.delete(disruptionPauses, { name: metadata.name }));
});

const sh = (text: string, on = cluster) => type(...text.split(' '), ...on.flags);
const refusal = (err: string) => ({ status: 2, out: '', err: `error: ${err}` });

describe('a pause', () => {
  for (const { fact, command, out, spec } of [
    {
      fact: 'of everything',
      command: 'pause --reason INC-7 --for 2h',
      out: 'everything voluntary pauses until 2024-08-15T12:00:00Z',
      spec: { reason: 'INC-7', until: '2024-08-15T12:00:00Z', inFlight: 'Finish' },
    },
    {
      fact: 'of two pools, for one reason, that takes replacements back',
      command: 'pause --reason INC-7 --for 3d --nodepool web,batch --only Drifted --in-flight Revert',
      out: 'Drifted of NodePools web, batch pauses until 2024-08-18T10:00:00Z',
      spec: {
        reason: 'INC-7',
        until: '2024-08-18T10:00:00Z',
        inFlight: 'Revert',
        scope: {
          nodePools: {
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['web', 'batch'] }],
          },
          reasons: ['Drifted'],
        },
      },
    },
  ]) {
    test(fact, async () => {
      const name = 'pause-20240815-100000';
      expect(await sh(command)).toEqual({
        status: 0,
        out: `DisruptionPause ${name}: ${out}; \`nodewright resume ${name}\` ends it`,
        err: '',
      });
      expect(await listPauses()).toMatchObject([{ metadata: { name }, spec }]);
      expect((await listPauses())[0]?.spec).toEqual(spec);
    });
  }

  test('takes the next name when several begin in one second', async () => {
    for (const reason of ['a', 'b', 'c']) await sh(`pause --reason ${reason} --for 1h`);
    expect((await listPauses()).map(({ metadata }) => metadata.name)).toEqual([
      'pause-20240815-100000',
      'pause-20240815-100000-2',
      'pause-20240815-100000-3',
    ]);
  });

  test('is answered to programs as the object that is stored', async () => {
    const { out } = await sh('pause --reason INC-7 --for 1h -o json');
    expect(JSON.parse(out)).toMatchObject({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'DisruptionPause',
      metadata: { name: 'pause-20240815-100000' },
      spec: { reason: 'INC-7' },
    });
  });

  test.each<readonly [string, string]>([
    ['pause --reason INC-7', '--for: say how long, such as 2h; there is no terminal to ask on'],
    ['pause --reason INC-7 --for 1h --nodepool x', '--nodepool: there is no NodePool "x"; there are batch, web'],
    ['pause --reason INC-7 --for 1h --nodegroup x', '--nodegroup: there is no NodeGroup "x"; there are none'],
    [
      'pause --reason INC-7 --for 1h -l tier>5',
      '--selector: "tier>5" is no label selector: a pause does not compare numbers; use =, !=, in, notin, or a key alone',
    ],
  ])('is refused: %s', async (command, err) => {
    expect(await sh(command)).toEqual(refusal(err));
    expect(await listPauses()).toEqual([]);
  });

  test('needs a reason in words', async () => {
    expect(await type('pause', '--reason', ' ', '--for', '1h', ...cluster.flags)).toEqual(
      refusal('--reason: must say why, such as INC-7'),
    );
  });

  test.each(['pause --reason INC-7 --for 1h', 'resume'])('needs the definition: %s', async (command) => {
    expect(await sh(command, bare)).toEqual(
      refusal('the cluster has no DisruptionPauses: `nodewright crds | kubectl apply -f -` installs them'),
    );
  });

  test.each<readonly [string, RegExp]>([
    ['pause --reason INC-7 --for soon', /must be a duration such as 30m, 24h or 10d, not "soon"/],
    ['pause --reason INC-7 --for 1h --only Tired', /Tired is not one of \(Drifted\|Empty\|Underutilized\|Expired\)/],
    ['pause --for 1h', /--reason/],
  ])('says what would be right: %s', async (command, err) => {
    const answer = await sh(command);
    expect(answer.status).not.toBe(0);
    expect(answer.err).toMatch(err);
  });
});

describe('resume', () => {
  const two = async () => {
    await sh('pause --reason INC-7 --for 1h');
    await sh('pause --reason INC-8 --for 1h --nodepool web');
  };
  const first = 'DisruptionPause pause-20240815-100000 is deleted: everything voluntary goes on (INC-7)';
  const second =
    'DisruptionPause pause-20240815-100000-2 is deleted: everything voluntary of NodePools web goes on (INC-8)';

  const firstHolds = 'DisruptionPause pause-20240815-100000 still pauses everything voluntary';
  const secondHolds = 'DisruptionPause pause-20240815-100000-2 still pauses everything voluntary of NodePools web';

  test.each<readonly [string, string, readonly string[], number]>([
    ['the named one', 'resume pause-20240815-100000', [first, secondHolds], 1],
    ['those of the scope', 'resume --nodepool web', [second, firstHolds], 1],
    ['all', 'resume --all', [first, second], 0],
  ])('ends %s', async (_, command, lines, left) => {
    await two();
    expect(await sh(command)).toEqual({ status: 0, out: lines.join('\n'), err: '' });
    expect(await listPauses()).toHaveLength(left);
  });

  test('takes the only one that holds; those that have run out are no choice', async () => {
    const old = { reason: 'INC-6', until: '2024-08-15T09:00:00Z', inFlight: 'Finish' } as const;
    for (const name of ['old-1', 'old-2'])
      await cluster.ask((client) => client.create(disruptionPauses, { metadata: { name }, spec: old }));
    expect((await sh('resume')).out).toBe(
      'nothing is paused; old-1 has run out at 2024-08-15T09:00:00Z; old-2 has run out at 2024-08-15T09:00:00Z',
    );
    await sh('pause --reason INC-7 --for 1h');
    expect((await sh('resume')).out).toBe(first);
    expect((await sh('resume old-1')).out).toBe(
      'DisruptionPause old-1 is deleted: it had run out at 2024-08-15T09:00:00Z (INC-6)',
    );
    expect((await listPauses()).map(({ metadata }) => metadata.name)).toEqual(['old-2']);
  });

  test('ends the only one, and finds nothing after it', async () => {
    await sh('pause --reason INC-7 --for 1h');
    expect((await sh('resume')).out).toBe(first);
    expect(await sh('resume')).toEqual({ status: 0, out: 'nothing is paused', err: '' });
    expect(JSON.parse((await sh('resume -o json')).out)).toMatchObject({ kind: 'DisruptionPauseList', items: [] });
  });

  const there =
    'pause-20240815-100000 (everything voluntary), pause-20240815-100000-2 (everything voluntary of NodePools web)';
  const together = 'give one of them: a name, --all, or --nodepool, --nodegroup and --selector';
  test.each<readonly [string, string]>([
    ['resume', `several pauses hold, name one or say --all: ${there}`],
    ['resume x', `there is no DisruptionPause "x"; there are ${there}`],
    ['resume --nodepool batch', `no DisruptionPause has exactly this scope; there are ${there}`],
    ['resume pause-20240815-100000 --all', together],
    ['resume --all --nodepool web', together],
    ['resume pause-20240815-100000 --nodepool web', together],
  ])('guesses nothing: %s', async (command, err) => {
    await two();
    expect(await sh(command)).toEqual(refusal(err));
    expect(await listPauses()).toHaveLength(2);
  });
});
