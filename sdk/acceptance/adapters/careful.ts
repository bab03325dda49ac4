import type { Adapter } from '../adapter.ts'
import { startMerchant } from '../careless/merchant.ts'

/** The small merchant of the kit's own tests, without carelessness. */
export default { name: 'a careful merchant', start: (settings) => startMerchant(settings) } satisfies Adapter
