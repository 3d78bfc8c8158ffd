import { describe, expect, test } from 'vitest';
import { awsCli, installedAwsClis, aTestAccount } from '@nodewright/testkit/worlds';

describe.each(installedAwsClis(process.env['PATH']))('%s', (command) => {
  test('sends to the queue of the cluster, receives, and is refused in the words it knows', async () => {
    const { aws } = aTestAccount();
    const cli = await awsCli(aws.handleSigned, process.env, command);
    const sqs = (...args: readonly string[]) => cli.run('sqs', '--endpoint-url', cli.endpoint, ...args);
    const queue = ['--queue-url', `${cli.endpoint}/111122223333/my-cluster`];
    await sqs('send-message', ...queue, '--message-body', '{"version":"0"}');
    const received = await sqs('receive-message', ...queue, '--wait-time-seconds', '5');
    expect(JSON.parse(received.stdout)).toMatchObject({ Messages: [{ Body: '{"version":"0"}' }] });
    const refused = await sqs('get-queue-url', '--queue-name', 'none');
    expect(refused.stderr).toContain('AWS.SimpleQueueService.NonExistentQueue');
    cli.close();
  });
});
