import { decideForBothWords, inheritedWords } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { parseReleases } from './releases/feed.ts';
import { parseFault } from './faults/fault-input.ts';
import { aTestAccount } from '@nodewright/testkit/worlds';

type Ask = (request: {
  readonly path?: string;
  readonly method?: string;
  readonly target?: string;
  readonly body: unknown;
}) => Promise<unknown>;

/** Asks an account of its own, in bytes, so that names can be sent which no client would send. */
function anAccount(): { readonly ask: Ask; readonly subnet: string } {
  const { aws } = aTestAccount();
  const ask: Ask = async ({ path = '/', method = 'POST', target, body }) => {
    const answer = await aws.handle(
      {
        method,
        path,
        headers: target === undefined ? {} : { 'x-amz-target': target },
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      },
      new AbortController().signal,
    );
    return { status: answer.status, body: Buffer.from(answer.body as Uint8Array).toString('utf8') };
  };
  return { ask, subnet: aws.ec2.network.subnets[0]?.id ?? '' };
}

const ec2 = (action: string, form = ''): string => `Action=${action}&Version=2016-11-15${form}`;
const autoScaling = (action: string, form = ''): string => `Action=${action}&Version=2011-01-01${form}`;
const withWord = (word: string, value: unknown): object => Object.fromEntries([[word, value]]);

/** What a parser makes of its input: the value, or its complaint. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return (error as Error).message;
  }
}

const places: Readonly<Record<string, (ask: Ask, word: string, subnet: string) => unknown>> = {
  'tags of EC2, and filters by tag': async (ask, word) => [
    await ask({ body: ec2('DescribeSubnets', `&Filter.1.Name=tag:${word}&Filter.1.Value.1=x`) }),
    await ask({ body: ec2('DescribeSubnets', `&Filter.1.Name=tag-key&Filter.1.Value.1=${word}`) }),
    await ask({
      body: ec2('CreateLaunchTemplate', `&LaunchTemplateName=t&LaunchTemplateData.UserData=YQ==${tagged(word)}`),
    }),
    await ask({ body: ec2('DescribeLaunchTemplates', `&Filter.1.Name=tag:${word}&Filter.1.Value.1=x`) }),
  ],
  'names of filters and of actions': async (ask, word) => [
    await ask({ body: ec2('DescribeInstances', `&Filter.1.Name=${word}&Filter.1.Value.1=x`) }),
    await ask({ body: ec2(word) }),
    await ask({ body: `Action=DescribeInstances&Version=${word}` }),
    await ask({ body: ec2('DescribeInstances', `&${word}=1`) }),
    await ask({
      body: autoScaling('DescribeTags', `&Filters.member.1.Name=${word}&Filters.member.1.Values.member.1=x`),
    }),
  ],
  'ids and resource kinds': async (ask, word) => [
    await ask({ body: ec2('DescribeInstances', `&InstanceId.1=${word}`) }),
    await ask({ body: ec2('CreateTags', `&ResourceId.1=${word}&Tag.1.Key=a&Tag.1.Value=b`) }),
    await ask({ body: ec2('CreateTags', `&ResourceId.1=${word}-1&Tag.1.Key=a&Tag.1.Value=b`) }),
    await ask({ body: ec2('DescribeInstanceTypes', `&InstanceType.1=${word}`) }),
    await ask({ body: ec2('DescribeSpotPriceHistory', `&InstanceType.1=${word}`) }),
  ],
  'parameters of SSM': async (ask, word) => [
    await ask({ target: 'AmazonSSM.GetParameter', body: { Name: word } }),
    await ask({ target: 'AmazonSSM.GetParameter', body: { Name: `/${word}` } }),
    await ask({ target: 'AmazonSSM.GetParametersByPath', body: { Path: `/aws/service/eks/optimized-ami/${word}` } }),
    await ask({ target: 'AmazonSSM.PutParameter', body: { Name: `/${word}`, Value: 'x', Type: word } }),
    await ask({ target: 'AmazonSSM.PutParameter', body: { Name: `/${word}`, Value: 'x', Type: 'String' } }),
    await ask({ target: 'AmazonSSM.GetParameter', body: { Name: `/${word}` } }),
  ],
  'targets and members of JSON': async (ask, word) => [
    await ask({ target: word, body: {} }),
    await ask({ target: `AmazonSSM.${word}`, body: {} }),
    await ask({ target: `${word}.GetParameter`, body: {} }),
    await ask({ target: 'AmazonSSM.GetParameter', body: withWord(word, 1) }),
  ],
  'attributes of queues': async (ask, word) => [
    await ask({ target: 'AmazonSQS.CreateQueue', body: { QueueName: 'q', Attributes: withWord(word, '1') } }),
    await ask({ target: 'AmazonSQS.CreateQueue', body: { QueueName: 'q', tags: withWord(word, '1') } }),
    await ask({ target: 'AmazonSQS.GetQueueUrl', body: { QueueName: word } }),
  ],
  'node groups of EKS': async (ask, word, subnet) => {
    const nodeGroup = { nodegroupName: 'g', subnets: [subnet], nodeRole: 'arn:aws:iam::111122223333:role/r' };
    const path = '/clusters/my-cluster/node-groups';
    return [
      await ask({ path, body: { ...nodeGroup, amiType: word } }),
      await ask({ path, body: { ...nodeGroup, capacityType: word } }),
      await ask({ path, body: { ...nodeGroup, taints: [{ key: 'a', value: 'b', effect: word }] } }),
      await ask({ path, body: { ...nodeGroup, labels: withWord(word, 'x'), tags: withWord(word, 'x') } }),
      await ask({ path, body: { ...nodeGroup, warmPoolConfig: { enabled: true, poolState: word } } }),
      await ask({ method: 'GET', path: `/clusters/${word}`, body: '' }),
      await ask({ method: 'GET', path: `/${word}`, body: '' }),
    ];
  },
  'patterns of events': (ask, word) =>
    ask({
      target: 'AWSEvents.PutRule',
      body: { Name: 'r', EventPattern: JSON.stringify({ ...withWord(word, [withWord(word, 1)]), source: ['a'] }) },
    }),
  'fault kinds and their fields': (_ask, word) => [
    outcomeOf(() => parseFault({ kind: word })),
    outcomeOf(() => parseFault({ kind: 'throttle', service: 'ec2', ...withWord(word, 1) })),
    outcomeOf(() => parseFault({ kind: 'launchFailure', code: word })),
  ],
  'fields of a release': (_ask, word) => outcomeOf(() => parseReleases([withWord(word, 'x')])),
};

const tagged = (word: string): string =>
  `&TagSpecification.1.ResourceType=launch-template&TagSpecification.1.Tag.1.Key=${word}&TagSpecification.1.Tag.1.Value=x`;

describe.each(inheritedWords)('the word %s', (word) => {
  test.each(Object.entries(places))('is like any other word: %s', async (_place, decide) => {
    const { inherited, plain } = await decideForBothWords(word, (each) => {
      const account = anAccount();
      return decide(account.ask, each, account.subnet);
    });
    expect(inherited).toBe(plain);
  });
});
