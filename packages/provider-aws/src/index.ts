/**
 * The cloud port over AWS, through the AWS SDK only. Every call leaves through the gate; every wait is on the
 * clock; nothing is remembered that EC2 or the Kubernetes API could not tell again. It decides nothing about
 * nodes: which image, which claim, when to leave is settled before it is asked.
 */
export { createAwsCloud } from './cloud.ts';
export type { AwsCloudOptions } from './cloud.ts';
export { createAwsClients, regionOfChain } from './calls/clients.ts';
export type { SdkClients } from './calls/clients.ts';
export { createInProcessClients } from './calls/in-process-clients.ts';
export { inProcessRequestHandler } from './calls/in-process-request-handler.ts';
export type { SdkRequestHandler } from './calls/in-process-request-handler.ts';
export { consequences, type Retry } from './calls/consequences.ts';
export { type ErrorClass, errorCodes } from './calls/error-codes.ts';
export { newsOfOneLife } from './caching/news-of-one-life.ts';
export { receiveOnNews } from './interruptions/receive-on-news.ts';
export { readAccount } from './account/read-account.ts';
export type { AccountQuestion } from './account/read-account.ts';
export type { AccountReading, ReadInstance, UnreadPart } from './account/account-reading.ts';
export { readUpgradeInsights } from './account/read-upgrade-insights.ts';
export type { UpgradeInsight } from './account/read-upgrade-insights.ts';
export { nameInstanceProfile } from './launch/instance-profiles.ts';
export { imageKindOf } from './node-groups/image-kind.ts';
