import { defaultOperatorSettings, type Operator, startOperator } from '@nodewright/operator';
import {
  createAwsClients,
  createAwsCloud,
  createInProcessClients,
  inProcessRequestHandler,
  type SdkRequestHandler,
} from '@nodewright/provider-aws';
import {
  type CallGate,
  type Clock,
  createLogger,
  createMetrics,
  type Metrics,
  type HttpRequest,
  type HttpResponse,
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  type Random,
  severableTransport,
  type Transport,
} from '@nodewright/runtime';
import { instant } from '@nodewright/apis';
import { createDirectClient, type DirectLink, openLink } from '@nodewright/kube-api';
import type { Sandbox } from '@nodewright/sandbox';
import { clientWithinRights, severableLink, tapAnswers } from '@nodewright/testkit/worlds';
import { type AnswerCall, Outages } from './outages.ts';

/** One request of the operator that the server has served; `isWrite` when it may have changed something. */
export type Served = {
  readonly to: 'kubernetes' | 'aws';
  readonly name: string;
  readonly isWrite: boolean;
  /** The same for the same request, made again. */
  readonly identity: string;
};

/** What becomes of the answer: it arrives, it is lost on the way, or the operator dies before it arrives. */
export type Fate = 'arrives' | 'lost' | 'dies';

export type MortalOptions = {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly region: string;
  readonly clusterName: string;
  readonly fate: (served: Served) => Fate;
  readonly outages?: Outages;
  /** Whether AWS is reached over the wire [false: it answers calls as objects]. */
  readonly isAwsOnWire?: boolean;
  readonly log?: (line: string) => void;
  /** How long no operator works after a death [1 s]. */
  readonly restartMs?: number;
  /** Of an operator that lives but once; each life has its own without it. */
  readonly metrics?: Metrics;
};

type Living = MortalOptions & { readonly outages: Outages };

const peer = { clientCertificate: { commonName: 'karpenter', organizations: ['system:masters'] } };

/** An operator that lives as long as `fate` lets it, and another after it. */
export function mortalOperator(options: MortalOptions) {
  const { clock, random, restartMs = 1_000, outages = new Outages() } = options;
  let lives = 0;
  let current: Operator;
  const leftovers: Promise<void>[] = [];
  const begin = (): void => {
    lives += 1;
    const mine = bornAs(`operator-${lives}`, { ...options, outages }, () => {
      leftovers.push(mine.stop());
      clock.at(instant(clock.now() + restartMs), begin);
    });
    current = mine;
  };
  begin();
  void random;
  return {
    lives: () => lives,
    ready: () => current.ready,
    stop: async (): Promise<void> => void (await Promise.all([current.stop(), ...leftovers])),
  };
}

type Decide = (served: Served) => void;
type Connection = { readonly client: KubernetesClient; readonly sever: () => void };

function wireConnection({ sandbox, gate, outages }: Living, decide: Decide): Connection {
  const cut = severableTransport(outages.over(inProcessTransport(gate, sandbox.kubernetes.handle, { peer })));
  return {
    client: kubernetesClient({ transport: judged(cut, decide), gate, userAgent: 'karpenter' }),
    sever: () => cut.sever(),
  };
}

function directConnection({ sandbox, gate, outages }: Living, decide: Decide): Connection {
  const cut = severableLink(outages.overLink(openLink));
  const user = { name: 'karpenter', groups: ['system:masters', 'system:authenticated'] };
  return {
    client: createDirectClient(sandbox.kubernetes, { gate, name: 'karpenter', user, link: judgedLink(cut, decide) }),
    sever: () => cut.sever(),
  };
}

/** One life. `died` is called at most once, in the middle of a call. */
function bornAs(name: string, options: Living, died: () => void): Operator {
  const { sandbox, clock, gate, region, clusterName, fate } = options;
  const random = options.random.fork(name);
  let isDead = false;
  const decide = (served: Served): void => {
    if (isDead) throw new Error('the process is dead');
    const end = fate(served);
    if (end === 'arrives') return;
    if (end === 'dies') {
      isDead = true;
      connection.sever();
      died();
    }
    throw new Error(`the answer to ${served.name} was lost`);
  };
  const connection = sandbox.way === 'direct' ? directConnection(options, decide) : wireConnection(options, decide);
  const { client } = connection;
  const life: Life = { decide, isDead: () => isDead };
  return startOperator({
    clock,
    random,
    client: clientWithinRights(client),
    cloud: createAwsCloud({
      clock,
      gate,
      random: random.fork('cloud'),
      clusterName,
      region,
      clients: options.isAwsOnWire === true ? wireClients(options, life) : directClients(options, life),
    }),
    log: createLogger({ clock, sink: { write: (line) => options.log?.(`${name} ${line}`) } }),
    metrics: options.metrics ?? createMetrics(),
    settings: defaultOperatorSettings,
  });
}

const judged = (transport: Transport, decide: (served: Served) => void): Transport => ({
  async send(request, send): Promise<HttpResponse> {
    const response = await transport.send(request, send);
    decide(servedKubernetes(request));
    return response;
  },
});

const judgedLink = (link: DirectLink, decide: (served: Served) => void): DirectLink =>
  tapAnswers(link, ({ method, path, isWatch, body }) =>
    decide(servedCall({ method, plain: path, isWatch, text: body === undefined ? '' : JSON.stringify(body) })),
  );

function servedKubernetes({ method, path, body }: HttpRequest): Served {
  const isWatch = /[?&]watch=(true|1)/.test(path);
  return servedCall({
    method,
    plain: path.replace(/\?.*$/, ''),
    isWatch,
    text: Buffer.from(body).toString('utf8'),
  });
}

type KubernetesCall = {
  readonly method: string;
  readonly plain: string;
  readonly isWatch: boolean;
  readonly text: string;
};

/** What the operator says about its work (events) is no step of it. */
function servedCall({ method, plain, isWatch, text }: KubernetesCall): Served {
  return {
    to: 'kubernetes',
    name: `${method} ${plain}${isWatch ? ' (watch)' : ''}`,
    isWrite: method !== 'GET' && !/\/events(\/|$)/.test(plain),
    identity: `${method} ${plain} ${isWatch} ${withoutVersion(text)}`,
  };
}

/** The same change is the same, whichever version it was made on. */
const withoutVersion = (body: string): string => body.replace(/"resourceVersion":"\d+"/g, '');

type Life = { readonly decide: Decide; readonly isDead: () => boolean };

const wireClients = ({ region, gate, outages, sandbox }: Living, life: Life) =>
  createAwsClients({
    region,
    requestHandler: judgedHandler(outages.overAws(inProcessRequestHandler(gate, sandbox.aws.handle)), life),
  });

const directClients = ({ gate, outages, sandbox }: Living, life: Life) =>
  createInProcessClients({ gate, answer: judgedAnswer(outages.overCalls(sandbox.aws.answer), life) });

const judgedAnswer =
  (answer: AnswerCall, { decide, isDead }: Life): AnswerCall =>
  async (call, caller) => {
    if (isDead()) throw new Error('the process is dead');
    const answered = await answer(call, caller);
    decide(servedAwsCall(call));
    return answered;
  };

function servedAwsCall({ operation, input }: Parameters<AnswerCall>[0]): Served {
  const isDryRun = (input as { readonly DryRun?: boolean }).DryRun === true;
  return {
    to: 'aws',
    name: operation,
    isWrite: !isDryRun && !/^(Describe|Get|List)/.test(operation),
    identity: `${operation} ${JSON.stringify(input)}`,
  };
}

const judgedHandler = (handler: SdkRequestHandler, { decide, isDead }: Life): SdkRequestHandler => ({
  async handle(request, options) {
    if (isDead()) throw new Error('the process is dead');
    const answer = await handler.handle(request, options);
    decide(servedAws(request));
    return answer;
  },
});

type SdkRequest = Parameters<SdkRequestHandler['handle']>[0];

function servedAws({ method, path, headers, body }: SdkRequest): Served {
  const text =
    body instanceof Uint8Array
      ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
      : String(body ?? '');
  const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1];
  const action = /(?:^|&)Action=(\w+)/.exec(text)?.[1] ?? target?.split('.').at(-1) ?? `${method} ${path}`;
  const isDryRun = /(?:^|&)DryRun=true/.test(text);
  return {
    to: 'aws',
    name: action,
    isWrite: !isDryRun && !/^(Describe|Get|List)/.test(action) && !action.startsWith('GET '),
    identity: `${action} ${text}`,
  };
}
