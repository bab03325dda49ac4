import { testBrowser } from './cases.ts'
import { missingForFirefox, openFirefox } from './firefox.ts'

testBrowser('Firefox', missingForFirefox(), openFirefox)
