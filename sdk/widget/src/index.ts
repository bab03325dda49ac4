export type { ErrorCode, EventDetails, RenderOptions, SvcCaptcha } from '../../../widget/types.ts'
export { type Attachment, attach, attributesOf, type TollgateOptions } from './attach.ts'
export { load } from './load.ts'
