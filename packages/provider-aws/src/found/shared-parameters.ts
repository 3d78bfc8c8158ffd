import { GetParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import type { ParameterPort } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';

/** What a standard parameter holds, in bytes. A larger text makes an advanced one, which costs money every month. */
const standardBytes = 4_096;

/** Texts in parameters of SSM. Nothing is kept: others write them. */
export const sharedParameters = ({ call, clients: { ssm } }: AwsContext): ParameterPort => ({
  async read(name, signal) {
    try {
      const { Parameter } = await call((options) => ssm.send(new GetParameterCommand({ Name: name }), options), signal);
      return { text: Parameter?.Value ?? '', version: Parameter?.Version ?? 0 };
    } catch (error) {
      if (isAwsNotFound(error)) return undefined;
      throw error;
    }
  },
  async write(name, text, signal) {
    const size = Buffer.byteLength(text) > standardBytes ? { Tier: 'Advanced' as const } : {};
    const input = { Name: name, Value: text, Type: 'String' as const, Overwrite: true, ...size };
    const { Version } = await call((options) => ssm.send(new PutParameterCommand(input), options), signal);
    return Version ?? 0;
  },
});
