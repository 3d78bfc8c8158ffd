import { nodewrightCustomResources } from '@nodewright/apis';
import { anApiServer } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const base = '/apis/nodewright.dev/v1alpha1';
const kinds = {
  noderolloutpolicies: 'NodeRolloutPolicy',
  noderollouts: 'NodeRollout',
  imagerules: 'ImageRule',
  disruptionpauses: 'DisruptionPause',
} as const;

type Plural = keyof typeof kinds;

const { send } = anApiServer({ customResources: nodewrightCustomResources });

const create = (plural: Plural, name: string, spec: object) =>
  send('POST', `${base}/${plural}`, {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: kinds[plural],
    metadata: { name },
    spec,
  });

type Cases = readonly (readonly [fact: string, spec: object])[];
type Refusals = readonly (readonly [fact: string, spec: object, message: string])[];

let count = 0;
const freshName = (): string => {
  count += 1;
  return `case-${count}`;
};

function accepts(plural: Plural, cases: Cases): void {
  test.each(cases)('accepts %s', async (_fact, spec) => {
    expect(await create(plural, freshName(), spec)).toMatchObject({ status: 201 });
  });
}

function refuses(plural: Plural, cases: Refusals): void {
  test.each(cases)('refuses %s', async (_fact, spec, message) => {
    const answer = await create(plural, freshName(), spec);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });
}

const all = { name: 'all', nodes: '100%' };
const wave = (fields: object) => ({ waves: [{ name: 'first', nodes: 1, ...fields }, all] });
const check = (fields: object) => ({ health: { checks: [{ name: 'mine', ...fields }] } });
const prometheus = { url: 'http://prometheus:9090', query: 'up' };

describe('a NodeRolloutPolicy', () => {
  accepts('noderolloutpolicies', [
    ['five lines', { preset: 'standard' }],
    ['nothing at all', {}],
    ['a count, a count as text and a share', { waves: [{ name: 'a', nodes: 1 }, { name: 'b', nodes: '3' }, all] }],
    ['a day as an age', wave({ soak: '1d' })],
    [
      'every field of the design',
      {
        preset: 'standard',
        mode: 'Propose',
        weight: 3,
        selector: { nodePools: { matchLabels: { tier: 'production' } }, nodeGroups: { matchLabels: { a: 'b' } } },
        waves: [
          { name: 'canary', nodes: 1, soak: '8h', prefer: { matchLabels: { canary: 'true' } } },
          { name: 'half', nodes: '50%', soak: '2h', approval: 'Manual' },
          all,
        ],
        health: {
          failureBudget: 0,
          variants: 'Independent',
          withoutEvidence: 'Wait',
          signals: {
            registration: { within: '15m' },
            nodeReady: { for: '2m' },
            lease: { olderThan: '90s' },
            containerStarts: { compare: 'Peers' },
            restarts: { compare: 'Ignore' },
            podsReady: { within: '10m', compare: 'Peers' },
            nodeConditions: { types: ['KernelDeadlock'] },
          },
          checks: [
            { name: 'rate', prometheus: { ...prometheus, max: '0.5' } },
            { name: 'smoke', webhook: { url: 'https://checks.example/nodes', timeout: '10s' } },
            { name: 'join', job: { namespace: 'checks', template: { spec: {} } } },
          ],
        },
        canaryGroup: 'batch',
        onHalt: 'Rollback',
        newTarget: 'Supersede',
        rollback: { windows: 'Respect' },
        windows: [{ schedule: '0 22 * * 1-4', duration: '6h', timeZone: 'Europe/Berlin' }],
        blackouts: [{ from: '2026-12-18T00:00:00', to: '2027-01-04T06:00:00', timeZone: 'UTC', reason: 'year end' }],
        pace: { maxPerHour: 50, minInterval: '2m', maxSurge: 10, order: 'TerminateFirst', slot: '30m' },
        blocked: [
          { after: '30m', do: 'Park' },
          { after: '7d', do: 'Force' },
        ],
        maxAge: { soft: '21d', jitter: '3d', hard: '30d' },
        protect: { lastEndpoint: false, unexpectedDrift: '20%' },
        finishWithin: '14d',
        promotion: {
          publish: { ssmParameter: '/evidence/here' },
          require: [{ from: { configMap: { namespace: 'a', name: 'b' } }, completedFor: '48h', minimumNodeHours: 500 }],
          neighbours: [{ ssmParameter: '/evidence/production-eu' }],
          notTogetherWith: ['production-eu'],
        },
        notify: [
          { url: 'https://hooks.example/x', format: 'Slack', events: ['Halted'] },
          { format: 'CloudEvents', secretRef: { namespace: 'karpenter', name: 'receivers', key: 'url' } },
        ],
      },
    ],
  ]);
  refuses('noderolloutpolicies', [
    [
      'another preset',
      { preset: 'quick' },
      'spec.preset: Unsupported value: "quick": supported values: "cautious", "standard", "fast"',
    ],
    [
      'waves that end before all nodes have moved',
      { waves: [{ name: 'half', nodes: '50%' }] },
      'the last wave must take all nodes: nodes: 100%: wave half has 50%',
    ],
    [
      'a wave of no nodes',
      wave({ nodes: 0 }),
      'spec.waves[0].nodes: Invalid value: 0: must be a count of at least 1 or a percentage from 1% to 100%, such as 3 or 10%',
    ],
    [
      'a wave of too large a share',
      wave({ nodes: '120%' }),
      'spec.waves[0].nodes: Invalid value: "120%": must be a count of at least 1 or a percentage',
    ],
    [
      'a soak that is no age',
      wave({ soak: '8 hours' }),
      'spec.waves[0].soak: Invalid value: "8 hours": must be an age such as 30s, 15m, 8h or 14d',
    ],
    ['two waves of one name', { waves: [all, all] }, 'spec.waves[1]: Duplicate value: {"name":"all"}'],
    [
      'a selector that selects nothing',
      { selector: {} },
      'selector needs nodePools, nodeGroups or both; without selector the policy governs everything',
    ],
    [
      'an operator without its values',
      { selector: { nodePools: { matchExpressions: [{ key: 'tier', operator: 'In' }] } } },
      'In and NotIn need values, Exists and DoesNotExist have none: tier',
    ],
    ['a check of nothing', check({}), 'a check needs exactly one of prometheus, webhook and job: mine'],
    [
      'a check of two things',
      check({ prometheus: { ...prometheus, max: '1' }, webhook: { url: 'http://x' } }),
      'a check needs exactly one of prometheus, webhook and job: mine',
    ],
    ['a query without bounds', check({ prometheus }), 'a query needs max, min or both: up'],
    [
      'a URL of another kind',
      check({ webhook: { url: 'ftp://x' } }),
      'spec.health.checks[0].webhook.url: Invalid value: "ftp://x": must be a URL that begins with http:// or https://',
    ],
    [
      'a schedule of four fields',
      { windows: [{ schedule: '0 22 * *', duration: '6h' }] },
      'spec.windows[0].schedule: Invalid value: "0 22 * *": must be a schedule of five fields such as "0 22 * * 1-4"',
    ],
    [
      'an offset as a time zone',
      { windows: [{ schedule: '@daily', duration: '6h', timeZone: '+02:00' }] },
      'spec.windows[0].timeZone: Invalid value: "+02:00": must be a time zone of the IANA database such as Europe/Berlin or UTC',
    ],
    [
      'a blackout that ends before it begins',
      { blackouts: [{ from: '2027-01-04T00:00:00', to: '2026-12-18T00:00:00', reason: 'x' }] },
      'a blackout ends after it begins: 2027-01-04T00:00:00 to 2026-12-18T00:00:00',
    ],
    [
      'a blackout in another form of time',
      { blackouts: [{ from: '2026-12-18', to: '2027-01-04T00:00:00', reason: 'x' }] },
      'spec.blackouts[0].from: Invalid value: "2026-12-18": must be a local date and time such as 2026-12-18T00:00:00',
    ],
    [
      'a blackout without a reason',
      { blackouts: [{ from: '2026-12-18T00:00:00', to: '2027-01-04T00:00:00' }] },
      'reason',
    ],
    ['an empty maxAge', { maxAge: {} }, 'maxAge needs soft, hard or both'],
    [
      'a jitter of nothing',
      { maxAge: { hard: '30d', jitter: '3d' } },
      'maxAge.jitter is taken off maxAge.soft, which is missing: 3d',
    ],
    [
      'an unexpected drift of nothing',
      { protect: { unexpectedDrift: '0%' } },
      'spec.protect.unexpectedDrift: Invalid value: "0%": must be a percentage from 1% to 100%, such as 20%',
    ],
    [
      'a receiver without an address',
      { notify: [{ format: 'Slack' }] },
      'a receiver needs url, secretRef or both: Slack',
    ],
    [
      'a receiver that is told nothing',
      { notify: [{ url: 'http://x', format: 'Slack', events: [] }] },
      'spec.notify[0].events',
    ],
    ['a pace of nothing', { pace: { maxPerHour: 0 } }, 'spec.pace.maxPerHour'],
    [
      'a step of the ladder twice',
      {
        blocked: [
          { after: '1h', do: 'Park' },
          { after: '2h', do: 'Park' },
        ],
      },
      'spec.blocked[1]',
    ],
    [
      'a place that is two places',
      { promotion: { publish: { ssmParameter: '/a', url: 'http://x' } } },
      'a place is exactly one of ssmParameter, configMap and url',
    ],
    [
      'neighbours whose records are not read',
      { promotion: { notTogetherWith: ['eu'] } },
      'notTogetherWith is read from the records of neighbours and require, which are missing',
    ],
  ]);
  test('has a preset and a mode when it says nothing', async () => {
    expect((await create('noderolloutpolicies', freshName(), {})).body['spec']).toEqual({
      preset: 'standard',
      mode: 'Automatic',
      weight: 0,
    });
  });
});

const rollout = {
  policy: 'production',
  number: 3,
  cause: 'NewRelease',
  from: [{ source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-1', release: 'v1' }],
  to: [{ source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-2', release: 'v2' }],
  kubernetesVersion: '1.31',
  members: 12,
};

describe('a NodeRollout', () => {
  accepts('noderollouts', [['a move from one image to another', rollout]]);
  refuses('noderollouts', [
    ['another cause', { ...rollout, cause: 'Mood' }, 'spec.cause: Unsupported value: "Mood"'],
    ['two images for one variant', { ...rollout, to: [...rollout.to, ...rollout.to] }, 'spec.to[1]: Duplicate value'],
  ]);
  test('does not change its target', async () => {
    const name = freshName();
    await create('noderollouts', name, rollout);
    const answer = await send(
      'PATCH',
      `${base}/noderollouts/${name}`,
      { spec: { number: 4 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('a rollout cannot change: another one is made for another target');
  });
  test('is shown with its wave and state', async () => {
    const name = freshName();
    await create('noderollouts', name, rollout);
    await send(
      'PATCH',
      `${base}/noderollouts/${name}/status`,
      { status: { target: 'v2', state: 'Soaking', wave: 'canary', updated: 1, failed: 0 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const { body } = await send('GET', `${base}/noderollouts/${name}`, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const { columnDefinitions, rows } = body as {
      columnDefinitions: { name: string; priority: number }[];
      rows: { cells: unknown[] }[];
    };
    const shown = columnDefinitions.filter(({ priority }) => priority === 0);
    expect(shown.map((column) => column.name.toUpperCase())).toEqual([
      'NAME',
      'POLICY',
      'TO',
      'WAVE',
      'UPDATED',
      'FAILED',
      'STATE',
      'AGE',
    ]);
    expect(rows[0]?.cells.slice(0, 7)).toEqual([name, 'production', 'v2', 'canary', 1, 0, 'Soaking']);
  });
  test('has a short name', async () => {
    const { body } = await send('GET', base);
    const { resources } = body as { resources: { name: string; shortNames?: string[]; categories?: string[] }[] };
    const named = resources.filter(({ name }) => name in kinds).map(({ name, shortNames = [] }) => [name, shortNames]);
    expect(Object.fromEntries(named)).toEqual({
      disruptionpauses: [],
      imagerules: [],
      noderolloutpolicies: ['nrp'],
      noderollouts: ['nro'],
    });
  });
});

const blocked = (match: object) => ({ match, verdict: 'Blocked', reason: 'CVE-2026-1234' });

describe('an ImageRule', () => {
  accepts('imagerules', [
    ['releases between bounds', blocked({ family: 'AL2023', versions: ['v20260409', '>=v20260501 <v20260512'] })],
    ['an id', blocked({ ids: ['ami-0123456789abcdef0'] })],
    ['names of one architecture', blocked({ names: ['golden-2026-04-*'], variants: { architectures: ['arm64'] } })],
    ['an expedited release', { ...blocked({ ids: ['ami-1'] }), verdict: 'Expedited', until: '2026-12-01T00:00:00Z' }],
  ]);
  refuses('imagerules', [
    ['every image', blocked({}), 'match needs versions, ids or names: a rule is never about every image'],
    ['releases of no family', blocked({ versions: ['v20260409'] }), 'versions need the family that they belong to'],
    [
      'a word as a release',
      blocked({ family: 'AL2023', versions: ['latest'] }),
      'spec.match.versions[0]: Invalid value: "latest": must be a release such as v20260409, or bounds such as ">=v20260501 <v20260512"',
    ],
    [
      'a name as an id',
      blocked({ ids: ['golden'] }),
      'spec.match.ids[0]: Invalid value: "golden": must be an image id such as ami-0123456789abcdef0',
    ],
    ['no reason', { match: { ids: ['ami-1'] }, verdict: 'Blocked' }, 'spec.reason: Required value'],
    ['an empty reason', { ...blocked({ ids: ['ami-1'] }), reason: ' ' }, 'must say why, such as CVE-2026-1234'],
    ['another verdict', { ...blocked({ ids: ['ami-1'] }), verdict: 'Doubtful' }, 'spec.verdict: Unsupported value'],
    ['a date that is none', { ...blocked({ ids: ['ami-1'] }), until: 'tomorrow' }, 'spec.until'],
  ]);
});

describe('a DisruptionPause', () => {
  accepts('disruptionpauses', [
    ['everything, for a reason', { reason: 'INC-7' }],
    ['drift of some pools', { reason: 'x', scope: { nodePools: { matchLabels: { a: 'b' } }, reasons: ['Drifted'] } }],
  ]);
  refuses('disruptionpauses', [
    ['no reason', {}, 'spec.reason: Required value'],
    ['an empty reason', { reason: '' }, 'must say why, such as an incident number'],
    ['a reason that is never voluntary', { reason: 'x', scope: { reasons: ['Interrupted'] } }, 'Unsupported value'],
  ]);
  test('lets what has begun finish unless it says otherwise', async () => {
    const { body } = await create('disruptionpauses', freshName(), { reason: 'x' });
    expect(body['spec']).toEqual({ reason: 'x', inFlight: 'Finish' });
  });
});
