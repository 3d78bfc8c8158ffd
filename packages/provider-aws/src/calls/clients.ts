import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { IAMClient } from '@aws-sdk/client-iam';
import { PricingClient } from '@aws-sdk/client-pricing';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { seconds } from '@nodewright/apis';
import type { ProxyAgents, Tracer } from '@nodewright/runtime';
import type { SdkRequestHandler } from './in-process-request-handler.ts';
import { refuseSilentHosts } from './silent-hosts.ts';
import { nameTurnOfCalls, traceCalls, type TracedMiddleware } from './traced-calls.ts';
import { refuseWebPages } from './unreadable-answer.ts';

/** One client of the SDK per service. */
export type SdkClients = {
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly eks: EKSClient;
  readonly iam: IAMClient;
  readonly pricing: PricingClient;
  readonly serviceQuotas: ServiceQuotasClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
};

/** What takes the calls of each service. */
export type AwsClients = { readonly [Service in keyof SdkClients]: Pick<SdkClients[Service], 'send'> };

export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

export type AwsClientOptions = {
  readonly region: string;
  /** Where all services answer; without it, where AWS has them. */
  readonly endpoint?: string;
  /** Without them, the SDK's own chain: environment, profile, web identity, instance metadata. */
  readonly credentials?: AwsCredentials;
  /** How hosts are reached, such as through a proxy [directly]. */
  readonly agents?: ProxyAgents;
  /** How long a host may be silent, in milliseconds: until it accepts a connection [5 s], and before it answers [60 s]. */
  readonly patience?: {
    readonly connectMs?: number;
    readonly answerMs?: number;
    /** Whether a host that was silent once is not asked again [it is]. */
    readonly isForOnce?: boolean;
  };
  /** Answers in place of the network. Requests then carry no signature. */
  readonly requestHandler?: SdkRequestHandler;
  /** Follows calls back to the turns that make them [calls are not traced]. */
  readonly tracer?: Tracer | undefined;
};

/** Where the price list of a region is served. */
function pricingRegion(region: string): string {
  if (region.startsWith('ap-')) return 'ap-south-1';
  if (region.startsWith('eu-')) return 'eu-central-1';
  return region.startsWith('cn-') ? 'cn-northwest-1' : 'us-east-1';
}

/**
 * Clients that add nothing of their own: no retries (those are `callAws`'s, on our clock), no random
 * invocation ids, no look at the server's clock, no settings from files. All of them share their credentials: the chain
 * is asked once, and again before the credentials expire.
 */
export function createAwsClients(options: AwsClientOptions): SdkClients {
  const own = buildClientSettings(options);
  const prepare = clientPreparation(options);
  const ec2 = prepare(new EC2Client(own));
  // A client keeps the credentials that its chain found until they expire; the others take them from there.
  const settings = { ...own, credentials: ec2.config.credentials };
  return {
    autoScaling: prepare(new AutoScalingClient(settings)),
    ec2,
    eks: prepare(new EKSClient(settings)),
    iam: prepare(new IAMClient(settings)),
    pricing: prepare(new PricingClient({ ...settings, region: pricingRegion(options.region) })),
    serviceQuotas: prepare(new ServiceQuotasClient(settings)),
    // A queue's URL names it; where to ask is for the settings to say.
    sqs: prepare(new SQSClient({ ...settings, useQueueUrlAsEndpoint: false })),
    ssm: prepare(new SSMClient(settings)),
  };
}

const noCredentials: AwsCredentials = { accessKeyId: 'in-process', secretAccessKey: 'in-process' };

const unsigned = { sign: <R>(request: R): Promise<R> => Promise.resolve(request) };

function buildClientSettings(options: AwsClientOptions) {
  const { region, endpoint, credentials, agents, requestHandler, patience = {} } = options;
  const inProcess = requestHandler !== undefined;
  return {
    region,
    maxAttempts: 1,
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'nodewright',
    authSchemePreference: ['sigv4'],
    disableClockSkewCorrection: true,
    ...(inProcess ? { requestHandler, signer: unsigned, endpoint: endpoint ?? 'http://in-process.invalid' } : {}),
    ...(!inProcess && endpoint !== undefined ? { endpoint } : {}),
    // The SDK asks for credentials in the same way. Without limits it waits for ever.
    ...(inProcess ? {} : { requestHandler: { ...agents, ...timeLimits(patience) } }),
    ...(inProcess || credentials !== undefined ? { credentials: credentials ?? noCredentials } : {}),
  };
}

const timeLimits = ({ connectMs = seconds(5), answerMs = seconds(60) }: NonNullable<AwsClientOptions['patience']>) => ({
  connectionTimeout: connectMs,
  requestTimeout: answerMs,
  throwOnRequestTimeout: true,
});

/**
 * The region that the SDK's own chain names: `AWS_REGION`, then the profile.
 * @throws the SDK's error when nothing names one
 */
export const regionOfChain = (): Promise<string> => new EC2Client({}).config.region();

type Middleware = <A, O>(next: (args: A) => Promise<O>) => (args: A) => Promise<O>;
type Stack = {
  add(
    middleware: Middleware | TracedMiddleware | typeof refuseWebPages | ReturnType<typeof refuseSilentHosts>,
    options: object,
  ): void;
  remove(name: string): boolean;
};

const passThrough: Middleware = (next) => (args) => next(args);

/** Middleware that a request inside this process does not need. */
const ofTheNetwork = ['loggerMiddleware', 'recursionDetectionMiddleware', 'getUserAgentMiddleware'];

/** The clients of one account share what they know of silent hosts. */
function clientPreparation(options: AwsClientOptions): <C extends SdkClients[keyof SdkClients]>(client: C) => C {
  const refusal = options.patience?.isForOnce === true ? refuseSilentHosts() : undefined;
  return (client) => {
    prepareClient(client, options);
    if (refusal !== undefined)
      (client.middlewareStack as Stack).add(refusal, { name: 'refuseSilentHosts', step: 'finalizeRequest' });
    return client;
  };
}

/** Takes out what is random or reads the clock, and in process what only the network needs. No web page is an answer. */
function prepareClient<C extends { readonly middlewareStack: object }>(
  client: C,
  { requestHandler, tracer }: AwsClientOptions,
): C {
  const stack = client.middlewareStack as Stack;
  stack.add(passThrough, { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true });
  stack.add(refuseWebPages, { name: 'refuseWebPages', step: 'deserialize', priority: 'low' });
  if (tracer !== undefined) {
    stack.add(traceCalls(tracer), { name: 'traceCalls', step: 'initialize', priority: 'high' });
    stack.add(nameTurnOfCalls(tracer), { name: 'nameTurnOfCalls', step: 'build', priority: 'low' });
  }
  if (requestHandler === undefined) return client;
  for (const name of ofTheNetwork) stack.remove(name);
  return client;
}
