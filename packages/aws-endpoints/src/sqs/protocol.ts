import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import type { Protocol } from '../codec/protocol.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import { legacyCodeOf } from './errors.ts';

const json = jsonProtocol({ version: '1.0' });
const query = queryProtocol({ dialect: 'awsQuery', namespace: 'http://queue.amazonaws.com/doc/2012-11-05/' });

/** JSON, with the code that clients of the query protocol compare with in a header of its own. */
export const sqsJson: Protocol = {
  ...json,
  refuse(error, requestId) {
    const named = new AwsError(`com.amazonaws.sqs#${error.code}`, error.message, error);
    const answer = json.refuse(named, requestId);
    const legacy = `${legacyCodeOf(error.code)};${error.fault}`;
    return { ...answer, headers: { ...answer.headers, 'x-amzn-query-error': legacy } };
  },
};

/** What SQS spoke before JSON; older clients still do. */
export const sqsQuery: Protocol = {
  ...query,
  refuse: (error, requestId) => query.refuse(new AwsError(legacyCodeOf(error.code), error.message, error), requestId),
};
