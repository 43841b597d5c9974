import { optimization } from '../../core/content/optimization.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function OptimizationPage() {
  return <ServiceDetailPage slug="optimization" detail={optimization} />;
}
