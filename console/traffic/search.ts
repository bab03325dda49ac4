import * as z from 'zod/mini'
import { lenient } from '../ui/lenient.ts'
import { periodSearch } from '../ui/period.ts'

/** What a page with charts keeps in the URL. */
export const trafficSearch = z.object({ ...periodSearch, chart: lenient(z.enum(['outcomes', 'time', 'work'])) })
